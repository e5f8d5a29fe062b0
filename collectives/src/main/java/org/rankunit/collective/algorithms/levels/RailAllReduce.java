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
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * All-reduce on servers with as many ranks each: a reduce-scatter inside each server, an all-reduce of each part between the ranks at the same
 * place of all servers, and an all-gather inside each server. Between servers, each rank sends only its part. Inside and between, ranks read
 * from all others.
 *
 * <p>With L ranks on each server, part p of the data is reduced from the rank at place p on, modulo L; then piece s of it from server s on,
 * modulo the number of servers: the same bits in every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RailAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Levels.unsupportedReason(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Levels.of(call, rank).resources();
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        if (call.count() == 0 || call.count() % call.ranks() != 0) {
            return Optional.empty();
        }
        Levels levels = Levels.of(call, 0);
        int inside = levels.places() - 1;
        int between = levels.servers() - 1;
        long piece = call.part(0, call.ranks()).bytes();
        return Optional.of(new Cost(2 * (inside + between), 2 * piece * ((long) inside * levels.servers() + between)));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        Levels levels = Levels.of(call, self.rank());
        Slice part = call.part(levels.place(), levels.places());
        Region own = self.output().part(part);
        main.copy(self.input().part(part), own);
        levels.local()
                .read(
                        self,
                        link -> main.getReduce(
                                link, self.buffer(BufferKind.INPUT, link.peer()).part(part), own));

        Slice piece = piece(call, levels, part, levels.server());
        levels.rail()
                .read(
                        self,
                        link -> main.getReduce(
                                link,
                                output(self, link.peer(), piece),
                                self.output().part(piece)));
        levels.rail().read(self, link -> {
            Slice theirs = piece(call, levels, part, levels.serverOf(link.peer()));
            main.get(link, output(self, link.peer(), theirs), self.output().part(theirs));
        });

        levels.local().read(self, link -> {
            Slice theirs = call.part(levels.placeOf(link.peer()), levels.places());
            main.get(link, output(self, link.peer(), theirs), self.output().part(theirs));
        });
    }

    private static Slice piece(CollectiveCall call, Levels levels, Slice part, int server) {
        return part.part(server, levels.servers(), call.elementBytes());
    }

    private static Region output(Orchestration self, int rank, Slice slice) {
        return self.buffer(BufferKind.OUTPUT, rank).part(slice);
    }
}
