package org.rankunit.engine.launch.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.engine.launch.LogText;

/**
 * The report that a JVM writes when native code crashes it, reduced to where it happened: the user's frames, then the signal.
 * Frames of other code are only counted.
 */
public final class CrashReport {

    /** The frames are near the beginning of the report; the libraries come after the JVM's data about itself. */
    private static final int LOOKED_THROUGH = 2 << 20;

    /** No frame is longer; a rank that writes anywhere may have written into its report, and patterns take long for long lines. */
    private static final int LONGEST_LINE = 1_000;

    private static final int MAX_FRAMES = 12;
    private static final String PROBLEMATIC_FRAME = "# Problematic frame:";
    private static final Pattern REASON =
            Pattern.compile("# +((SIG|Internal Error|Out of Memory|There is insufficient).*)");
    private static final Pattern MAPPING = Pattern.compile("[0-9a-f]+-[0-9a-f]+ .{4} .* (/.*)");

    private static final Pattern SIGNAL = Pattern.compile("# +(SIG[A-Z]+) .*");
    private static final Pattern THREAD = Pattern.compile("#.*\\btid=(\\d{1,9})\\b.*");

    private final List<String> lines;

    private CrashReport(List<String> lines) {
        this.lines = lines;
    }

    /** Read a report; empty if the JVM did not write one. */
    public static Optional<String> head(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(file).head() + "\nwhole report: " + file);
        } catch (IOException e) {
            return Optional.of("(cannot read " + file + ": " + e.getMessage() + ")");
        }
    }

    /** Read a report for its single facts; empty if the JVM did not write one. */
    static Optional<CrashReport> of(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(file));
        } catch (IOException e) {
            return Optional.of(new CrashReport(List.of()));
        }
    }

    private static CrashReport read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new CrashReport(LogText.printable(in.readNBytes(LOOKED_THROUGH))
                    .lines()
                    .map(line -> line.substring(0, Math.min(LONGEST_LINE, line.length())))
                    .toList());
        }
    }

    /** The signal that has ended the process: {@code SIGSEGV}; empty for an error of the JVM itself. */
    Optional<String> signal() {
        return first(SIGNAL);
    }

    /** The number of the thread that has crashed; 0 if it is not known. */
    int thread() {
        return first(THREAD).map(Integer::valueOf).orElse(0);
    }

    private Optional<String> first(Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .findFirst();
    }

    static String head(String report) {
        return new CrashReport(report.lines().toList()).head();
    }

    private String head() {
        List<String> head = frames();
        for (int i = 0; i < lines.size(); i++) {
            Matcher reason = REASON.matcher(lines.get(i));
            if (reason.matches()) {
                head.add(reason.group(1));
            } else if (i > 0 && lines.get(i - 1).startsWith(PROBLEMATIC_FRAME)) {
                head.add("problematic frame: "
                        + lines.get(i).replaceFirst("^#", "").strip());
            }
        }
        return String.join("\n", head);
    }

    /** The native frames and the Java frames that called them, down to the user's outermost frame. */
    private List<String> frames() {
        List<CrashFrame> frames = new ArrayList<>(section("Native frames:"));
        frames.removeIf(frame -> frame instanceof CrashFrame.Java || frame instanceof CrashFrame.Vm);
        frames = withoutRepetitions(frames);
        List<CrashFrame> java = section("Java frames:");
        frames.addAll(java.isEmpty() ? section("Native frames:") : java);
        int end = frames.size();
        while (end > 0 && frames.get(end - 1).owner() != CrashFrame.Owner.USER) {
            end--;
        }
        return folded(frames.subList(0, end));
    }

    /** The stack of a thread without frame pointers begins with its innermost frame twice; recursion repeats one more often. */
    private static List<CrashFrame> withoutRepetitions(List<CrashFrame> frames) {
        List<CrashFrame> kept = new ArrayList<>();
        for (CrashFrame frame : frames) {
            if (kept.isEmpty() || !frame.equals(kept.get(kept.size() - 1))) {
                kept.add(frame);
            }
        }
        return kept;
    }

    private List<String> folded(List<CrashFrame> frames) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < frames.size() && shown.size() < MAX_FRAMES; ) {
            CrashFrame frame = frames.get(i);
            if (frame.owner() == CrashFrame.Owner.USER) {
                shown.add((shown.isEmpty() ? "in " : "from ") + describe(frame, i == 0));
                i++;
            } else {
                int begin = i;
                while (frames.get(i).owner() == frame.owner()) {
                    i++;
                }
                shown.add(
                        "(" + (i - begin) + (i - begin == 1 ? " frame of " : " frames of ") + frame.owner().text + ")");
            }
        }
        return shown;
    }

    private String describe(CrashFrame frame, boolean innermost) {
        if (frame instanceof CrashFrame.Native code) {
            // For a caller, the recorded address is the one after the call.
            long offset = innermost ? code.offset() : code.offset() - 1;
            String what = library(code.library())
                    .flatMap(library -> SourceLines.ofNative(library, offset))
                    .orElse(code.symbol());
            return what.isEmpty() ? code.address() : what + " (" + code.address() + ")";
        } else if (frame instanceof CrashFrame.Java java) {
            return java.type() + "." + java.method()
                    + SourceLines.ofJava(java).map(line -> "(" + line + ")").orElse("");
        }
        throw new IllegalArgumentException("no user frame: " + frame);
    }

    private Optional<Path> library(String name) {
        return lines.stream()
                .map(MAPPING::matcher)
                .filter(Matcher::matches)
                .map(mapping -> Path.of(mapping.group(1).strip()))
                .filter(path -> path.getFileName().toString().equals(name))
                .findFirst();
    }

    private List<CrashFrame> section(String title) {
        List<CrashFrame> frames = new ArrayList<>();
        int begin = 0;
        while (begin < lines.size() && !lines.get(begin).startsWith(title)) {
            begin++;
        }
        for (int i = begin + 1; i < lines.size(); i++) {
            Optional<CrashFrame> frame = CrashFrame.of(lines.get(i));
            if (frame.isEmpty()) {
                break;
            }
            frames.add(frame.get());
        }
        return frames;
    }
}
