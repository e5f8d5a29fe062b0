package org.rankunit.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.rankunit.cli.bench.BenchRow.Measured;
import org.rankunit.cli.collective.Algorithms;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.bench.MeasuredCollective;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.device.Device;

/**
 * One rank: the main class of a process of its own. It reads the cases from its standard input, each on a line, up to an empty one;
 * measures them; and says what it has found by {@link RankLine}s. It ends at once when its input ends, since nothing reads its output then.
 */
public final class BenchRank {

    private static final int LOST = 2;

    private final RankOrder order;
    private final PrintStream out;

    private BenchRank(RankOrder order, PrintStream out) {
        this.order = order;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<BenchCase> cases = new ArrayList<>();
        for (String line = input.readLine(); line != null && !line.isEmpty(); line = input.readLine()) {
            cases.add(BenchCase.parse(line));
        }
        endWith(input);
        BenchRank rank = new BenchRank(RankOrder.parse(arguments), System.out);
        int status = 0;
        try {
            rank.run(cases);
            rank.say(new RankLine.Done());
        } catch (IOException | RuntimeException | Error e) {
            rank.say(failed(e));
            status = 1;
        }
        // A device that hangs may keep threads of the vendor's library alive forever.
        Runtime.getRuntime().halt(status);
    }

    private static void endWith(BufferedReader input) {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (input.readLine() != null) {
                            // Nothing more is expected.
                        }
                    } catch (IOException e) {
                        // Then nothing reads it, either.
                    }
                    Runtime.getRuntime().halt(LOST);
                },
                "rankunit-bench-input");
        watch.setDaemon(true);
        watch.start();
    }

    private static RankLine failed(Throwable e) {
        boolean ofAnother = e instanceof CommException failure
                && List.of(CommError.ABORTED, CommError.PEER_DIED, CommError.PEER_LEFT)
                        .contains(failure.error());
        return new RankLine.Failed(ofAnother, String.valueOf(e.getMessage() == null ? e : e.getMessage()));
    }

    private void say(RankLine line) {
        out.println(line.line());
        out.flush();
    }

    private void run(List<BenchCase> cases) throws IOException {
        CommunicatorConfig config = new CommunicatorConfig(
                order.rank(),
                order.ranks(),
                new Rendezvous.File(order.meeting()),
                order.windowBytes(),
                order.timeout());
        try (Device device = Device.open(order.platform(), order.device(), order.runtimeId());
                Communicator comm = Communicator.open(config, device);
                Algorithms algorithms = Algorithms.in(order.classPath())) {
            try {
                say(new RankLine.Goes());
                for (BenchCase each : cases) {
                    warm(comm, algorithms, each);
                }
                for (int i = 0; i < cases.size(); i++) {
                    say(measure(comm, algorithms, cases.get(i), i));
                }
                comm.barrier();
            } catch (RuntimeException | Error e) {
                // Before anything is closed, which waits: this is what the parent hears first.
                say(failed(e));
                comm.abort(order.rank(), "rank " + order.rank() + " failed: " + e.getMessage());
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private void warm(Communicator comm, Algorithms algorithms, BenchCase what) {
        if (order.warmups() == 0) {
            return;
        }
        for (Place place : what.places()) {
            try (MeasuredCollective collective = collective(comm, algorithms, what, place)) {
                collective.run(order.warmups());
                comm.barrier();
            }
            say(new RankLine.Goes());
        }
    }

    private RankLine measure(Communicator comm, Algorithms algorithms, BenchCase what, int number) {
        Map<Place, Measured> measured = new EnumMap<>(Place.class);
        for (Place place : what.places()) {
            try (MeasuredCollective collective = collective(comm, algorithms, what, place)) {
                // The plan is new, and so are its buffers.
                collective.run(Math.min(1, order.warmups()));
                double micros = collective.time(order.iterations());
                say(new RankLine.Goes());
                long seed = 2L * number + measured.size();
                measured.put(
                        place,
                        new Measured(
                                micros,
                                order.check() ? OptionalLong.of(collective.wrong(seed)) : OptionalLong.empty()));
                comm.barrier();
            }
            say(new RankLine.Goes());
        }
        return new RankLine.Told(measured);
    }

    private static MeasuredCollective collective(
            Communicator comm, Algorithms algorithms, BenchCase what, Place place) {
        CollectiveAlgorithm algorithm =
                algorithms.named(List.of(what.algorithm())).get(0);
        return new MeasuredCollective(comm, algorithm, place.of(what.call()));
    }
}
