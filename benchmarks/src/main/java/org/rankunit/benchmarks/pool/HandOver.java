package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OtherJvm;
import org.rankunit.benchmarks.measure.Quantile;

/** From the moment at which one process gives all devices back, or is killed, to that at which another, which waits, has them. */
final class HandOver {

    private static final String PEER = "one lock";

    /** For the waiter to be really waiting; of a lock this cannot be asked. */
    private static final long SETTLED_MILLIS = 30;

    private final int closes;
    private final int kills;
    private final Path folder;
    private final ExecutorService waiter = Executors.newSingleThreadExecutor();

    /** One kind of source: used here by the one who waits, and in another process by the holder. */
    private static final class Side implements AutoCloseable {
        private final DeviceSource.Kind kind;
        private final Path shared;
        private final DeviceSource source;
        private final List<Double> closedMillis = new ArrayList<>();
        private final List<Double> killedMillis = new ArrayList<>();
        private OtherJvm holder;

        Side(DeviceSource.Kind kind, Path shared) throws IOException {
            this.kind = kind;
            this.shared = shared;
            this.source = DeviceSource.of(kind, shared);
            this.holder = newHolder();
        }

        private OtherJvm newHolder() throws IOException {
            return new OtherJvm(Holder.class, kind.name(), shared.toString());
        }

        @Override
        public void close() {
            holder.close();
        }
    }

    HandOver(boolean quick, Path folder) {
        this.closes = quick ? 40 : 300;
        this.kills = quick ? 6 : 40;
        this.folder = folder;
    }

    List<Figure> run() throws IOException, InterruptedException, ExecutionException {
        Path shared = Files.createTempDirectory(folder, "handover");
        try (Side ours = new Side(DeviceSource.Kind.POOL, shared);
                Side peer = new Side(DeviceSource.Kind.ONE_LOCK, shared)) {
            for (int i = 0; i < closes; i++) {
                afterClose(ours);
                afterClose(peer);
            }
            for (int i = 0; i < kills; i++) {
                afterKill(ours);
                afterKill(peer);
            }
            return List.of(
                    figure("a close until another process has it", ours.closedMillis, peer.closedMillis),
                    figure("a SIGKILL until another process has it", ours.killedMillis, peer.killedMillis));
        } finally {
            waiter.shutdownNow();
        }
    }

    private static Figure figure(String name, List<Double> ours, List<Double> peer) {
        return new Figure(name + ", p50", Quantile.of(ours, 0.5), "ms", Double.NaN, PEER, Quantile.of(peer, 0.5));
    }

    private void afterClose(Side side) throws IOException, InterruptedException, ExecutionException {
        Future<Long> taken = waitBehind(side);
        side.holder.say("give back");
        String begin = side.holder.hear();
        if (begin == null) {
            throw new IllegalStateException("a holder of devices ended too early");
        }
        side.closedMillis.add((taken.get() - Long.parseLong(begin)) / 1e6);
    }

    private void afterKill(Side side) throws IOException, InterruptedException, ExecutionException {
        Future<Long> taken = waitBehind(side);
        long begin = System.nanoTime();
        side.holder.kill();
        side.killedMillis.add((taken.get() - begin) / 1e6);
        side.holder.close();
        side.holder = side.newHolder();
    }

    private Future<Long> waitBehind(Side side) throws IOException, InterruptedException {
        side.holder.say("take");
        side.holder.await("taken " + DeviceSource.DEVICES);
        Future<Long> taken = waiter.submit(() -> {
            try (DeviceSource.Held held = side.source.take(DeviceSource.DEVICES)) {
                long moment = System.nanoTime();
                return held.devices().isEmpty() ? Long.MAX_VALUE : moment;
            }
        });
        Thread.sleep(SETTLED_MILLIS);
        return taken;
    }
}
