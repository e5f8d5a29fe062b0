package org.rankunit.distributed.pe.run;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.distributed.pe.Direction;
import org.rankunit.distributed.pe.machine.WorldPlacement;

/** Waits for the end of a launch, hands packets between processes, and says what went wrong. */
final class Supervision {

    private static final int SHOWN = 16;
    /** What a lane's result is packed into: its end, and three counts. */
    private static final int RESULT_BYTES = Double.BYTES + (3 * Long.BYTES);

    private final Launch launch;
    private final WorldPlacement placement;
    private final @Nullable SipExchange exchange;
    private final Duration timeout;
    private final long deadline;

    Supervision(Launch launch, WorldPlacement placement, @Nullable SipExchange exchange, Duration timeout) {
        this.launch = launch;
        this.placement = placement;
        this.exchange = exchange;
        this.timeout = timeout;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    LaunchResult untilEnd() {
        try {
            while (true) {
                if (!launch.awaitQuiet(deadline)) {
                    throw late();
                }
                List<RoundReport> reports = reports();
                long moved = reports.stream()
                        .mapToLong(each -> each.packets().size())
                        .sum();
                if (moved == 0) {
                    requireGoodEnd(reports);
                    return result();
                }
                reports.forEach(each -> launch.deliver(each.packets()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KernelException("interrupted while PEs ran", e);
        } finally {
            endAll();
        }
    }

    private void endAll() {
        if (launch.hasEnded()) {
            return;
        }
        try {
            launch.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private KernelException late() {
        List<String> lines = launch.running();
        return new KernelException(
                lines.size() + " of " + placement.worldSize() + " PEs still run after " + timeout.toMillis() + " ms:"
                        + listed(lines),
                null);
    }

    /** Say what the lanes of this process do, and get what those of others do. */
    private List<RoundReport> reports() {
        RoundReport own = new RoundReport(
                launch.hasEnded(),
                launch.lanes().stream()
                        .filter(lane -> lane.failure != null)
                        .map(lane -> named(lane) + ": " + lane.failure)
                        .toList(),
                waits(),
                launch.takeOutgoing());
        if (exchange == null) {
            return List.of(own);
        }
        return exchange.allGather(own.encode()).stream()
                .map(RoundReport::decode)
                .toList();
    }

    private String named(Lane lane) {
        return "PE " + lane.rank() + " (" + placement.place(lane.rank()) + ")";
    }

    private List<String> waits() {
        List<String> lines = new ArrayList<>();
        for (Lane lane : launch.lanes()) {
            if (lane.state == Lane.State.WAITS) {
                lines.add(named(lane) + " waits at the " + lane.direction + " for " + lane.awaited);
            }
            for (Map.Entry<Direction, Queue> entry : lane.queues().entrySet()) {
                int left = entry.getValue().left();
                if (lane.state == Lane.State.ENDED && left > 0) {
                    lines.add(named(lane) + " has ended, and left " + left + (left == 1 ? " message" : " messages")
                            + " of PE " + entry.getValue().other().rank() + " at the " + entry.getKey());
                }
            }
        }
        return lines;
    }

    private void requireGoodEnd(List<RoundReport> reports) {
        List<String> failures =
                reports.stream().flatMap(each -> each.failures().stream()).toList();
        List<String> waits =
                reports.stream().flatMap(each -> each.waits().stream()).toList();
        if (!failures.isEmpty()) {
            throw new KernelException(
                    failures.size() + " of " + placement.worldSize() + " PEs failed:" + listed(failures)
                            + (waits.isEmpty() ? "" : "\nbecause of that:" + listed(waits)),
                    launch.lanes().stream()
                            .map(lane -> lane.failure)
                            .filter(each -> each != null)
                            .findFirst()
                            .orElse(null));
        }
        boolean ended = reports.stream().allMatch(RoundReport::ended);
        if (!ended) {
            throw new KernelException("deadlock of PEs; none can continue:" + listed(waits), null);
        }
        if (!waits.isEmpty()) {
            throw new KernelException("messages were sent but never received:" + listed(waits), null);
        }
    }

    private static String listed(List<String> lines) {
        String shown = lines.stream().limit(SHOWN).map(line -> "\n  " + line).collect(Collectors.joining());
        return lines.size() > SHOWN ? shown + "\n  ... and " + (lines.size() - SHOWN) + " more" : shown;
    }

    private LaunchResult result() {
        byte[][] own = new byte[placement.worldSize()][];
        List<Integer> local = new ArrayList<>();
        for (Lane lane : launch.lanes()) {
            local.add(lane.rank());
            own[lane.rank()] = ByteBuffer.allocate(RESULT_BYTES)
                    .putDouble(lane.now)
                    .putLong(lane.messages)
                    .putLong(lane.bytes)
                    .putLong(lane.waits)
                    .array();
        }
        List<byte[]> all = exchange == null ? List.of(own) : Gathering.of(exchange, local, own);
        List<Double> ends = new ArrayList<>();
        long messages = 0;
        long bytes = 0;
        long waits = 0;
        for (byte[] each : all) {
            ByteBuffer packed = ByteBuffer.wrap(each);
            ends.add(packed.getDouble());
            messages += packed.getLong();
            bytes += packed.getLong();
            waits += packed.getLong();
        }
        return new LaunchResult(ends, messages, bytes, waits);
    }
}
