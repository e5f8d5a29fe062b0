package org.rankunit.engine.launch.crash;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the source line of a position in native code, if it has debug information, or in a class on our class path. */
final class SourceLines {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private SourceLines() {}

    /** Such as {@code scale(unsigned long const*, int) at /src/scale.cpp:12}; empty if it cannot be determined. */
    static Optional<String> ofNative(Path library, long offset) {
        if (!Files.isRegularFile(library)) {
            return Optional.empty();
        }
        String address = "0x" + Long.toHexString(offset);
        Optional<List<String>> command = Programs.find("addr2line")
                .map(program -> List.of(program.toString(), "-f", "-C", "-e", library.toString(), address))
                .or(() -> Programs.find("llvm-symbolizer")
                        .map(program -> List.of(program.toString(), "--no-inlines", "--obj=" + library, address)));
        return command.flatMap(SourceLines::lines).flatMap(SourceLines::joined);
    }

    private static Optional<String> joined(List<String> functionAndLine) {
        if (functionAndLine.size() < 2) {
            return Optional.empty();
        }
        String line = functionAndLine
                .get(1)
                .replaceFirst(" \\(discriminator \\d+\\)$", "")
                .replaceFirst("^\\./", "");
        return line.startsWith("??") ? Optional.empty() : Optional.of(functionAndLine.get(0) + " at " + line);
    }

    private static Optional<List<String>> lines(List<String> command) {
        Process process = null;
        try {
            // With this variable, the program would query a server for every library.
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().remove("DEBUGINFOD_URLS");
            process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
            return Optional.of(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            log().debug("{} finds no source lines", command, e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    /** Such as {@code ScaleTest.java:42}; only the file if the line is not known; empty if there is no such class. */
    static Optional<String> ofJava(CrashFrame.Java frame) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        String resource = frame.type().replace('.', '/') + ".class";
        try (InputStream in = loader == null ? null : loader.getResourceAsStream(resource)) {
            return in == null
                    ? Optional.empty()
                    : LineTable.read(new DataInputStream(new BufferedInputStream(in)), frame);
        } catch (IOException e) {
            log().debug("{} has no lines", resource, e);
            return Optional.empty();
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(SourceLines.class);
    }
}
