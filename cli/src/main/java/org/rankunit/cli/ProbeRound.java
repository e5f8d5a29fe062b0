package org.rankunit.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.rankunit.cli.pool.DeviceRef;
import org.rankunit.cli.text.DisplayText;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.PoolException;

/** Probes devices, several at the same time. */
final class ProbeRound {

    private final DevicePool pool;
    private final DisplayText words;

    ProbeRound(DevicePool pool, DisplayText words) {
        this.pool = pool;
        this.words = words;
    }

    /** How a probe ended. */
    enum End {
        SOUND("sound"),
        FAILED("failed"),
        HELD("held");

        private final String word;

        End(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * The result of one device.
     *
     * @param line the result as text, for people
     */
    record Result(End end, String line) {}

    /**
     * Probes all devices.
     *
     * @param listener called with each result as it arrives, on the calling thread
     * @return all results
     * @throws PoolException if the pool's files cannot be used
     */
    List<Result> probe(List<DeviceRef> devices, Consumer<Result> listener) throws InterruptedException {
        int threads = Math.min(devices.size(), Math.max(2, Runtime.getRuntime().availableProcessors()));
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CompletionService<Result> results = new ExecutorCompletionService<>(executor);
            devices.forEach(device -> results.submit(() -> probe(device)));
            List<Result> all = new ArrayList<>();
            while (all.size() < devices.size()) {
                Result result = results.take().get();
                listener.accept(result);
                all.add(result);
            }
            return all;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PoolException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private Result probe(DeviceRef device) {
        Optional<DeviceHealth> health = pool.probe(device.platform(), device.id());
        if (health.isEmpty()) {
            return new Result(End.HELD, device + ": " + holder(device));
        }
        return health.get() instanceof DeviceHealth.Sound
                ? new Result(End.SOUND, device + ": sound")
                : new Result(End.FAILED, device + ": failed, " + words.held(health.get()));
    }

    private String holder(DeviceRef device) {
        return pool.status(device.platform()).stream()
                .filter(status -> status.device() == device.id() && status.state() == DeviceState.HELD)
                .flatMap(status -> status.owner().stream())
                .map(owner -> "held by " + DisplayText.process(owner) + ", " + DisplayText.plain(owner.test())
                        + ", since " + words.clock(owner.since()))
                .findFirst()
                .orElse("held");
    }
}
