package org.rankunit.engine.compile;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.rankunit.engine.protocol.wire.Limits;

/** The part of a compiler's output that a message has room for. Stateless. */
final class Diagnostics {

    private static final int MAX_LINES = 40;
    private static final int MAX_CHARS_OF_LINE = 300;

    /** Colours, should the user's own arguments ask for them. */
    private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");

    private static final Pattern ERROR = Pattern.compile(".*\\b(?:fatal )?error: .*");

    private Diagnostics() {}

    /** Indent the first lines; if no error is among them, those from the first error on. */
    static String of(String output) {
        List<String> lines =
                ESCAPES.matcher(output).replaceAll("").stripTrailing().lines().toList();
        int firstError = 0;
        while (firstError < lines.size()
                && !ERROR.matcher(lines.get(firstError)).matches()) {
            firstError++;
        }
        // After many warnings, the lines begin at the first error.
        int begin = firstError < lines.size() && firstError >= MAX_LINES ? firstError : 0;
        int end = Math.min(lines.size(), begin + MAX_LINES);
        String shown = lines.subList(begin, end).stream()
                .map(line -> "    " + Limits.cut(line, MAX_CHARS_OF_LINE))
                .collect(Collectors.joining("\n"));
        String before = begin == 0 ? "" : "    (" + begin + " lines before)\n";
        String after = end == lines.size() ? "" : "\n    (" + (lines.size() - end) + " more lines)";
        return before + shown + after;
    }
}
