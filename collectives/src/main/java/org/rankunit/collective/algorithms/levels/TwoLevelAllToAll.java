package org.rankunit.collective.algorithms.levels;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-to-all on servers with as many ranks each. Inside a server, each rank gets from the others what goes to its place on any server; then
 * it gets from the ranks at its place on other servers what comes from any rank there. So data travels twice, but with L ranks on each of N
 * servers a rank reads L + N - 2 times only.
 *
 * <p>Scratch memory holds what goes to the others on the server, then what came from them, then what goes to other servers.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TwoLevelAllToAll implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_TO_ALL;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return call.counts().isEmpty()
                ? Levels.unsupportedReason(call)
                : Optional.of("needs the same number of elements for each pair of ranks");
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Levels levels = Levels.of(call, rank);
        return levels.resources().withScratch(StagingLayout.slots(levels) * StagingLayout.blockBytes(call));
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        if (call.count() == 0) {
            return Optional.empty();
        }
        Levels levels = Levels.of(call, 0);
        int inside = levels.places() - 1;
        int between = levels.servers() - 1;
        long blocks = (long) inside * levels.servers() + (long) between * levels.places();
        return Optional.of(new Cost(inside + between, blocks * StagingLayout.blockBytes(call)));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        Levels levels = Levels.of(call, self.rank());
        StagingLayout own = new StagingLayout(self, levels);
        pack(self, own);
        levels.local().read(self, link -> {
            StagingLayout theirs = new StagingLayout(self, Levels.of(call, link.peer()));
            main.get(link, theirs.toPlace(levels.place()), own.fromPlace(levels.placeOf(link.peer())));
        });
        for (int peer : levels.local().peers()) {
            repack(self, own, levels.placeOf(peer));
        }
        levels.rail().read(self, link -> {
            StagingLayout theirs = new StagingLayout(self, Levels.of(call, link.peer()));
            Region sent = theirs.toServer(levels.server());
            int first = levels.rank(0, levels.serverOf(link.peer()));
            Region slots = self.output().part(call.received(first, self.rank()).from(), sent.bytes());
            main.get(link, sent, slots);
        });
    }

    private static void pack(Orchestration self, StagingLayout own) {
        CollectiveCall call = self.call();
        Levels levels = own.levels();
        for (int target = 0; target < call.ranks(); target++) {
            Region block = self.input().part(call.sent(self.rank(), target));
            int place = levels.placeOf(target);
            int server = levels.serverOf(target);
            Region to = place == levels.place()
                    ? onRail(self, own, place, server)
                    : own.toPlace(place).part(server * block.bytes(), block.bytes());
            self.main().copy(block, to);
        }
    }

    /** Sort what came from a place of this server by where it goes. */
    private static void repack(Orchestration self, StagingLayout own, int place) {
        for (int server = 0; server < own.levels().servers(); server++) {
            Region to = onRail(self, own, place, server);
            self.main().copy(own.fromPlace(place).part(server * to.bytes(), to.bytes()), to);
        }
    }

    /** Where a block from a place of this server goes: to another server, or into the output. */
    private static Region onRail(Orchestration self, StagingLayout own, int place, int server) {
        CollectiveCall call = self.call();
        Levels levels = own.levels();
        if (server == levels.server()) {
            return self.output().part(call.received(levels.rank(place, server), self.rank()));
        }
        long block = StagingLayout.blockBytes(call);
        return own.toServer(server).part(place * block, block);
    }
}
