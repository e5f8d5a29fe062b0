package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OtherJvm;
import org.rankunit.benchmarks.measure.Quantile;

/** Eight processes that all want devices at once, and check that no device is shared and that each process gets its devices. */
final class Contention {

    private static final int PROCESSES = 8;
    private static final String PEER = "one lock, one holder at a time";

    private static final class Measured {
        private final List<Double> perSecond = new ArrayList<>();
        private final List<Double> waitMillis = new ArrayList<>();
        private int lost;
        private int shared;
    }

    private final int times;
    private final int rounds;
    private final Path folder;
    private final Measured ours = new Measured();
    private final Measured peer = new Measured();

    Contention(boolean quick, Path folder) {
        this.times = quick ? 200 : 1_000;
        this.rounds = quick ? 1 : 3;
        this.folder = folder;
    }

    List<Figure> run() throws IOException {
        for (int round = 0; round < rounds; round++) {
            round(DeviceSource.Kind.POOL, ours);
            round(DeviceSource.Kind.ONE_LOCK, peer);
        }
        List<Figure> figures = new ArrayList<>();
        figures.add(figure("leases per second", "/s", of -> Quantile.of(of.perSecond, 0.5)));
        figures.add(figure("wait for one, p50", "ms", of -> Quantile.of(of.waitMillis, 0.5)));
        figures.add(figure("wait for one, p99", "ms", of -> Quantile.of(of.waitMillis, 0.99)));
        figures.add(figure("leases that were lost", "", of -> of.lost).mustBeZero());
        figures.add(figure("devices with two holders", "", of -> of.shared).mustBeZero());
        return figures;
    }

    private interface Value {
        double of(Measured measured);
    }

    private Figure figure(String name, String unit, Value value) {
        return new Figure(
                "8 processes x " + times + " of 1-4: " + name, value.of(ours), unit, Double.NaN, PEER, value.of(peer));
    }

    private void round(DeviceSource.Kind kind, Measured result) throws IOException {
        Path shared = Files.createTempDirectory(folder, "round");
        List<OtherJvm> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(new OtherJvm(
                        Churner.class, kind.name(), shared.toString(), String.valueOf(i), String.valueOf(times)));
            }
            for (OtherJvm process : processes) {
                process.await("ready");
            }
            long begin = System.nanoTime();
            for (OtherJvm process : processes) {
                process.say("go");
            }
            for (OtherJvm process : processes) {
                String waits = process.hear();
                if (waits != null) {
                    for (String nanos : waits.split(" ", -1)) {
                        result.waitMillis.add(Long.parseLong(nanos) / 1e6);
                    }
                }
            }
            DeviceClaims claims = new DeviceClaims(shared.resolve("claims"));
            result.perSecond.add(claims.leases() * 1e9 / (System.nanoTime() - begin));
            result.lost += PROCESSES * times - claims.leases();
            result.shared += claims.shared();
        } finally {
            for (OtherJvm process : processes) {
                process.close();
            }
        }
    }
}
