package org.rankunit.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Another JVM, to which lines are said and which answers with lines; ended on close. */
public final class OtherJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    public OtherJvm(Class<?> main, String... arguments) throws IOException {
        this(List.of(), main, arguments);
    }

    /** One with options of its own for the JVM. */
    public OtherJvm(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
    }

    public void say(String line) throws IOException {
        Writer input = process.outputWriter();
        input.write(line + "\n");
        input.flush();
    }

    /** The next line; {@code null} if the process has ended without one. */
    public @Nullable String hear() throws IOException {
        return output.readLine();
    }

    public void await(String expected) throws IOException {
        String line = hear();
        if (!expected.equals(line)) {
            throw new IllegalStateException("another JVM said \"" + line + "\", not \"" + expected + "\"");
        }
    }

    /** Send SIGKILL; does not wait until the process is gone. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        try {
            process.outputWriter().close();
        } catch (IOException e) {
            // Killed already: there is no one to tell.
        }
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        process.destroyForcibly().onExit().join();
    }
}
