package org.rankunit.engine.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a JVM wrote down when native code made it crash, cut to what says where: signal, native frame, Java frames. */
final class CrashReport {

    /** What we look for stands near the beginning; the rest lists registers, memory and libraries. */
    private static final int HEAD_BYTES = 64 << 10;

    private static final int MOST_FRAMES = 10;
    private static final String NATIVE_FRAME = "# Problematic frame:";
    private static final String JAVA_FRAMES = "Java frames:";

    private CrashReport() {}

    /** Read the head of a report; empty if the JVM did not write one. */
    static Optional<String> head(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (var in = Files.newInputStream(file)) {
            return Optional.of(
                    head(new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8)) + "\nwhole report: " + file);
        } catch (IOException e) {
            return Optional.of("(cannot read " + file + ": " + e.getMessage() + ")");
        }
    }

    static String head(String report) {
        List<String> lines = report.lines().toList();
        List<String> head = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean follows = i > 0 && lines.get(i - 1).startsWith(NATIVE_FRAME);
            if (follows || line.matches("# +(SIG|Internal Error|Out of Memory|There is insufficient).*")) {
                head.add(line.substring(1).strip());
            } else if (line.startsWith(JAVA_FRAMES)) {
                lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(frame -> !frame.isBlank())
                        .limit(MOST_FRAMES)
                        .forEach(head::add);
                break;
            }
        }
        return String.join("\n", head);
    }
}
