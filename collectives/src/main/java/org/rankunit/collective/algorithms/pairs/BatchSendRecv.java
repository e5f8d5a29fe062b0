package org.rankunit.collective.algorithms.pairs;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Slice;

/**
 * Messages between pairs of ranks, in n - 1 steps: in step k, each rank sends to the one k after it, and receives from the one k before
 * it, if there is a message. A message is read by its receiver: where it lies, or in single-operator mode in the sender's CCL_Out, which
 * has a slot for each receiver; what a slot does not hold follows in further rounds.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BatchSendRecv implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.SEND_RECV;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return call.memory() == MemoryMode.SINGLE_OPERATOR && slotBytes(call) == 0
                ? Optional.of("needs CCL buffers of " + ((long) call.ranks() * call.elementBytes()) + " bytes")
                : Optional.empty();
    }

    /** Whole elements, as many as all receivers can have. */
    private static long slotBytes(CollectiveCall call) {
        long elements = call.cclBytes() / call.ranks() / call.elementBytes();
        return elements * call.elementBytes();
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        List<Integer> links = new ArrayList<>();
        for (int peer = 0; peer < call.ranks(); peer++) {
            if (peer != rank && (call.count(rank, peer) > 0 || call.count(peer, rank) > 0)) {
                links.add(peer);
            }
        }
        return Resources.onMainStream(links);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int rank = self.rank();
        int n = call.ranks();
        self.main().copy(self.input().part(call.sent(rank, rank)), self.output().part(call.received(rank, rank)));
        for (int round = 0; round < rounds(call); round++) {
            for (int k = 1; k < n; k++) {
                step(self, round, (rank + k) % n, Math.floorMod(rank - k, n));
            }
        }
    }

    private static long rounds(CollectiveCall call) {
        if (call.memory() == MemoryMode.WINDOWS) {
            return 1;
        }
        long rounds = 0;
        for (int from = 0; from < call.ranks(); from++) {
            for (int to = 0; to < call.ranks(); to++) {
                long bytes = from == to ? 0 : call.count(from, to) * call.elementBytes();
                rounds = Math.max(rounds, (bytes + slotBytes(call) - 1) / slotBytes(call));
            }
        }
        return rounds;
    }

    private static void step(Orchestration self, long round, int to, int from) {
        CollectiveCall call = self.call();
        int rank = self.rank();
        TaskStream main = self.main();
        Slice sent = chunk(call, call.sent(rank, to), round);
        Slice received = chunk(call, call.received(from, rank), round);
        if (sent.bytes() > 0) {
            if (call.memory() == MemoryMode.SINGLE_OPERATOR) {
                main.copy(self.input().part(sent), slot(self, rank, to, sent.bytes()));
            }
            main.txAck(self.link(to));
        }
        if (received.bytes() > 0) {
            Link link = self.link(from);
            Region source = call.memory() == MemoryMode.SINGLE_OPERATOR
                    ? slot(self, from, rank, received.bytes())
                    : self.buffer(BufferKind.INPUT, from).part(call.sent(from, rank));
            main.rxAck(link);
            main.get(link, source, self.output().part(received));
            main.txDataSignal(link);
        }
        if (sent.bytes() > 0) {
            main.rxDataSignal(self.link(to));
        }
    }

    /** What is left of a message for a round; without bytes if nothing is. */
    private static Slice chunk(CollectiveCall call, Slice message, long round) {
        if (call.memory() == MemoryMode.WINDOWS) {
            return message;
        }
        long done = Math.min(message.bytes(), round * slotBytes(call));
        return new Slice(message.from() + done, Math.min(slotBytes(call), message.bytes() - done));
    }

    /** Where a rank puts what another one reads. */
    private static Region slot(Orchestration self, int from, int to, long bytes) {
        return self.buffer(BufferKind.CCL_OUT, from).part(to * slotBytes(self.call()), bytes);
    }
}
