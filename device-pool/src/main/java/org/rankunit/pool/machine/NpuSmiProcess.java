package org.rankunit.pool.machine;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs the program for each query.
 *
 * <p>A faulty driver can make {@code npu-smi} hang, so no call waits longer than {@code patience}. A separate thread
 * reads the output, so a child that keeps the pipe open cannot block the caller.
 */
record NpuSmiProcess(Path program, Duration patience) implements NpuSmi {

    /** Maximum output in bytes, more than any machine needs; the table of 64 devices has 16 KiB. */
    static final int MAX_OUTPUT = 1 << 20;

    private static final int QUOTED = 200;

    @Override
    public Answer ask(List<String> arguments) {
        String call = "npu-smi " + String.join(" ", arguments);
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.environment().put("LC_ALL", "C");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return Answer.failed(program + " cannot be started: " + e.getMessage());
        }
        try {
            return answer(call, process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.failed("\"" + call + "\" was interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Answer answer(String call, Process process) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Output output = Output.of(process.getInputStream());
        boolean read = output.ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (output.size() >= MAX_OUTPUT) {
            return Answer.failed("\"" + call + "\" wrote more than " + (MAX_OUTPUT >> 10) + " KiB");
        }
        if (!read || !process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return Answer.failed("\"" + call + "\" did not end within " + seconds());
        }
        if (process.exitValue() != 0) {
            return Answer.failed(
                    "\"" + call + "\" ended with exit code " + process.exitValue() + quoted(output.text()));
        }
        return Answer.of(output.text());
    }

    private String seconds() {
        return patience.toMillis() % 1000 == 0 ? patience.toSeconds() + " s" : patience.toMillis() + " ms";
    }

    private static String quoted(String text) {
        String line = text.strip().lines().findFirst().orElse("");
        return line.isEmpty() ? "" : ": " + line.substring(0, Math.min(line.length(), QUOTED));
    }

    /** The output read so far. */
    private static final class Output {

        final CountDownLatch ended = new CountDownLatch(1);
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        static Output of(InputStream stream) {
            Output output = new Output();
            Thread reader = new Thread(() -> output.read(stream), "rankunit-npu-smi");
            reader.setDaemon(true);
            reader.start();
            return output;
        }

        private void read(InputStream stream) {
            byte[] part = new byte[8192];
            try {
                int count = stream.read(part);
                while (count >= 0 && size() < MAX_OUTPUT) {
                    bytes.write(part, 0, count);
                    count = stream.read(part);
                }
            } catch (IOException e) {
                // The pipe broke because the process was killed; the caller reports the reason for that.
            } finally {
                ended.countDown();
            }
        }

        int size() {
            return bytes.size();
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
