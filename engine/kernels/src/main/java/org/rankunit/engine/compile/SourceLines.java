package org.rankunit.engine.compile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the lines of compiled code, as the debug information of its library tells them. Thread-safe. */
public final class SourceLines {

    /** Part of the tools that a compiler links with. */
    private static final String PROGRAM = "addr2line";

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** As {@code device/cores/accesses.cpp} writes it. */
    private static final Pattern CODE = Pattern.compile("(/[^\\n]*?/([^/\\n]+))\\+(0x[0-9a-f]+)");

    /** {@code ./src/test/kernels/aiv/fill.cpp:12}, and sometimes more; question marks stand for what is not known. */
    private static final Pattern LINE = Pattern.compile("(?:\\./)?([^?:]+:[1-9]\\d*)\\b.*", Pattern.DOTALL);

    private final Map<String, String> known = new ConcurrentHashMap<>();

    /**
     * Replace each place in code, {@code /folder/libfill.so+0x1a2f}, by its line: {@code src/test/kernels/aiv/fill.cpp:12}. Where that is not
     * known, or if there is no program {@code addr2line}, the folder is left out.
     */
    public String in(String text) {
        return CODE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(known.computeIfAbsent(
                        place.group(),
                        code -> line(Path.of(place.group(1)), place.group(2) + "+" + place.group(3), place.group(3)))));
    }

    private static String line(Path library, String otherwise, String offset) {
        try {
            Path log = Files.createTempFile("rankunit-line-", ".log");
            try {
                Tool.Result result = Tool.run(
                        List.of(PROGRAM, "-e", library.toString(), offset),
                        Path.of("/"),
                        log,
                        System.nanoTime() + LIMIT.toNanos());
                Matcher line = LINE.matcher(result.output());
                return result.isFine() && line.matches() ? line.group(1) : otherwise;
            } finally {
                Files.deleteIfExists(log);
            }
        } catch (IOException absent) {
            return otherwise;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }
}
