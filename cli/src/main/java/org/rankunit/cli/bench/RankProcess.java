package org.rankunit.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A rank as its parent sees it: a process, and a thread that reads what it says. Ended on close. */
final class RankProcess implements AutoCloseable {

    private static final int LAST_LINES = 20;
    private static final int SIGNALS = 128;

    private final int rank;
    private final int device;
    private final Process process;
    private final Thread reader;
    /** Its measurements, which its parent keeps here. */
    private final List<RankLine.Told> told = new ArrayList<>();
    /** What others have printed there. */
    private final Deque<String> others = new ArrayDeque<>();

    /**
     * What a rank has said.
     *
     * @param line empty if its output has ended
     */
    record Heard(RankProcess from, Optional<RankLine> line) {}

    private RankProcess(int rank, int device, Process process, BlockingQueue<Heard> heard) {
        this.rank = rank;
        this.device = device;
        this.process = process;
        this.reader = new Thread(() -> read(heard), "rankunit-bench-rank-" + rank);
        reader.setDaemon(true);
    }

    static RankProcess start(RankOrder order, List<String> command, List<BenchCase> cases, BlockingQueue<Heard> heard)
            throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        RankProcess rank = new RankProcess(order.rank(), order.device(), process, heard);
        rank.reader.start();
        try {
            OutputStream input = process.getOutputStream();
            StringBuilder lines = new StringBuilder();
            cases.forEach(each -> lines.append(each.line()).append('\n'));
            // Stays open: the rank ends when this end does.
            input.write(lines.append('\n').toString().getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // It has ended already; the reader says so.
        }
        return rank;
    }

    private void read(BlockingQueue<Heard> heard) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<RankLine> said = RankLine.parse(line);
                if (said.isPresent()) {
                    heard.add(new Heard(this, said));
                } else {
                    keep(line);
                }
            }
        } catch (IOException e) {
            keep(e.toString());
        }
        heard.add(new Heard(this, Optional.empty()));
    }

    private void keep(String line) {
        synchronized (others) {
            others.addLast(line);
            if (others.size() > LAST_LINES) {
                others.removeFirst();
            }
        }
    }

    List<RankLine.Told> told() {
        return told;
    }

    int rank() {
        return rank;
    }

    int device() {
        return device;
    }

    long pid() {
        return process.pid();
    }

    /** The exit code, once the output has ended; empty if the process goes on without one. */
    Optional<Integer> exitCode() throws InterruptedException {
        return process.waitFor(2, TimeUnit.SECONDS) ? Optional.of(process.exitValue()) : Optional.empty();
    }

    /** {@code rank 1 (device 3 of a2a3sim, pid 4711)}. */
    String name(String platform) {
        return "rank " + rank + " (device " + device + " of " + platform + ", pid " + process.pid() + ")";
    }

    /** How it ended, and what was printed last. */
    String end() throws InterruptedException {
        String how = exitCode()
                .map(code -> code > SIGNALS
                        ? "was killed by signal " + (code - SIGNALS)
                        : "ended with exit code " + code + " before it was done")
                .orElse("closed its output before it was done");
        synchronized (others) {
            return how + (others.isEmpty() ? "" : ". Its last lines:\n  " + String.join("\n  ", others));
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Kill the process, and wait until it has ended. A process that the kernel holds is given up after some seconds. */
    @Override
    public void close() {
        kill();
        boolean interrupted = false;
        try {
            process.waitFor(5, TimeUnit.SECONDS);
            process.getOutputStream().close();
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            // What it did not read is of no interest any more.
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
