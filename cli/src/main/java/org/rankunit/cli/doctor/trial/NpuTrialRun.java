package org.rankunit.cli.doctor.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.Doctor.Diagnosis;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.comm.trial.NpuTrial;
import org.rankunit.engine.config.SmallJvm;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.lock.PoolException;

/** Tests two devices that are not held, or one if there is only one, with a communicator between them. */
public final class NpuTrialRun {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(5);
    private static final String ADVICE =
            "The message has the vendor's error and what it means; docs/ascend.md says what to check";

    private final PoolAccess access;

    public NpuTrialRun(PoolAccess access) {
        this.access = access;
    }

    /** Returns one diagnosis for each step on each device. */
    public List<Diagnosis> run() throws InterruptedException {
        List<Diagnosis> all = new ArrayList<>();
        for (String platform : access.platforms()) {
            boolean wanted = access.only().isPresent()
                    || access.setup().machine().devices().stream()
                            .anyMatch(npu -> npu.platform().equals(platform));
            if (wanted) {
                all.addAll(of(platform));
            }
        }
        return all.isEmpty()
                ? List.of(new Diagnosis(
                        "NPU trial",
                        Finding.warn(
                                "there is no NPU to test: " + String.join("; ", access.allNotes()),
                                "Use --platform a2a3sim to test the simulator")))
                : all;
    }

    private List<Diagnosis> of(String platform) throws InterruptedException {
        int count = Math.min(2, access.lent(platform).size());
        String subject = "NPU trial " + platform;
        if (count == 0) {
            return List.of(new Diagnosis(
                    subject, Finding.warn("none of its devices is available here", "rankunit devices says why")));
        }
        try {
            Optional<DeviceLease> lease = DevicePool.open(access.setup().config())
                    .tryLease(new LeaseRequest(platform, count, "rankunit doctor --npu").expecting(LIMIT));
            if (lease.isEmpty()) {
                return List.of(new Diagnosis(
                        subject,
                        Finding.warn(
                                "needs " + count + " free devices, which cannot be leased now",
                                "rankunit devices says who holds them")));
            }
            try (DeviceLease held = lease.get()) {
                return test(held);
            }
        } catch (PoolException e) {
            return List.of(new Diagnosis(subject, Finding.fail(String.valueOf(e.getMessage()), ADVICE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Diagnosis> test(DeviceLease lease) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("rankunit-trial");
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < lease.devices().size(); rank++) {
                ranks.add(start(lease, rank, folder));
            }
            awaitEnd(ranks);
            List<Diagnosis> all = new ArrayList<>();
            for (int rank = 0; rank < ranks.size(); rank++) {
                all.addAll(read(
                        lease.devices().get(rank),
                        folder.resolve("out-" + rank),
                        ranks.get(rank).isAlive()));
            }
            return all;
        } finally {
            for (Process rank : ranks) {
                rank.destroyForcibly().waitFor();
            }
            delete(folder);
        }
    }

    private Process start(DeviceLease lease, int rank, Path folder) throws IOException {
        int device = lease.devices().get(rank);
        List<String> command = new ArrayList<>(SmallJvm.command(NpuTrial.class));
        command.addAll(List.of(
                lease.platform(),
                String.valueOf(device),
                String.valueOf(access.runtimeId(lease.platform(), device)),
                String.valueOf(rank),
                String.valueOf(lease.devices().size()),
                folder.resolve("meeting").toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out-" + rank).toFile())
                .start();
    }

    /** Waits until all have ended. Once one has failed, waits only a short time: the others may be waiting for it. */
    private static void awaitEnd(List<Process> ranks) throws InterruptedException {
        CompletableFuture<Void> failed = new CompletableFuture<>();
        CompletableFuture<?>[] exits = ranks.stream()
                .map(rank -> rank.onExit().thenAccept(ended -> {
                    if (ended.exitValue() != 0) {
                        failed.complete(null);
                    }
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture<Void> all = CompletableFuture.allOf(exits);
        await(CompletableFuture.anyOf(all, failed), LIMIT);
        if (failed.isDone()) {
            await(all, AFTER_A_FAILURE);
        }
    }

    private static void await(CompletableFuture<?> end, Duration limit) throws InterruptedException {
        try {
            end.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The caller finds the ranks that are still running, and reports them.
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Reads what a rank printed. Lines in another format are the vendor's, and are only shown if the trial failed. */
    private static List<Diagnosis> read(int device, Path output, boolean running) throws IOException {
        List<Diagnosis> all = new ArrayList<>();
        List<String> others = new ArrayList<>();
        boolean complete = false;
        for (String line : new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            String[] parts = line.split("\t", 3);
            if (parts.length < 3) {
                others.add(line);
                continue;
            }
            boolean ok = parts[0].equals("ok");
            complete = !ok || parts[1].equals("tear-down");
            all.add(new Diagnosis(
                    "device " + device + " " + parts[1], ok ? Finding.ok(parts[2]) : Finding.fail(parts[2], ADVICE)));
        }
        if (!complete) {
            String last = others.isEmpty() ? "" : "; its last line: " + others.get(others.size() - 1);
            all.add(new Diagnosis(
                    "device " + device,
                    Finding.fail(
                            running
                                    ? "the trial was stopped before it was complete: it took " + LIMIT.toSeconds()
                                            + " s, or another rank had failed" + last
                                    : "the trial ended before it was complete" + last,
                            ADVICE)));
        }
        return all;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
