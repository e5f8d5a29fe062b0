package org.rankunit.distributed.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.RankContext;

/**
 * Which ranks of a test are members of a group.
 *
 * @param rank of this process
 * @param ranks of the members, in the order of their numbers in the group
 */
@API(status = INTERNAL, since = "0.1")
public record DeviceMembers(RankContext rank, List<Integer> ranks) {

    public DeviceMembers {
        ranks = List.copyOf(ranks);
    }

    public int size() {
        return ranks.size();
    }

    /** The number of this process in the group; -1 if it is not in it. */
    public int own() {
        return ranks.indexOf(rank.rank());
    }

    public boolean isWhole() {
        return ranks.size() == rank.worldSize()
                && IntStream.range(0, ranks.size()).allMatch(each -> ranks.get(each) == each);
    }
}
