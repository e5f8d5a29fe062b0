package org.rankunit.distributed.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.run.Collectives;
import org.rankunit.collective.run.MembersAlgorithm;
import org.rankunit.collective.select.Selection;

/** Runs algorithms of RankUnit, or of the user, in single-operator mode. */
@API(status = INTERNAL, since = "0.1")
public final class PlannedCollectives implements DeviceCollectives {

    private final DeviceMembers members;
    private final Collectives collectives;
    private final Function<CollectiveCall, Selection> selection;

    public PlannedCollectives(DeviceMembers members, Function<CollectiveCall, Selection> selection) {
        this.members = members;
        this.collectives = new Collectives(members.rank().communicator());
        this.selection = selection;
    }

    @Override
    public void run(CollectiveCall call, long input, long output) {
        Selection chosen = selection.apply(call);
        if (members.isWhole()) {
            collectives.run(chosen.tag(), chosen.algorithm(), call, input, output);
            return;
        }
        CollectiveAlgorithm algorithm = new MembersAlgorithm(chosen.algorithm(), call, members.ranks());
        collectives.run(chosen.tag() + members.ranks(), algorithm, whole(call), input, output);
    }

    /** A call of all ranks of the test that is at least as large on every member. */
    private CollectiveCall whole(CollectiveCall call) {
        int ranks = members.rank().worldSize();
        CollectiveCall whole = call.withCounts(List.of()).withRoot(0).withRanks(ranks);
        if (!call.collective().hasCountsOfPairs() || call.counts().isEmpty()) {
            return call.collective().hasRoot() ? whole.withRoot(members.ranks().get(call.root())) : whole;
        }
        List<Long> counts = new ArrayList<>(Collections.nCopies(ranks * ranks, 0L));
        for (int from = 0; from < members.size(); from++) {
            for (int to = 0; to < members.size(); to++) {
                int index =
                        (members.ranks().get(from) * ranks) + members.ranks().get(to);
                counts.set(index, call.count(from, to));
            }
        }
        return whole.withCounts(counts);
    }

    @Override
    public void close() {
        collectives.close();
    }
}
