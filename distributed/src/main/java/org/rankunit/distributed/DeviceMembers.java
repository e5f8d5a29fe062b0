package org.rankunit.distributed;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.RankContext;

/**
 * Which ranks of a test are members of a group.
 *
 * @param rank of this process
 * @param ranks of the members, in the order of their numbers in the group
 */
record DeviceMembers(RankContext rank, List<Integer> ranks) {

    DeviceMembers {
        ranks = List.copyOf(ranks);
    }

    int size() {
        return ranks.size();
    }

    /** The number of this process in the group; -1 if it is not in it. */
    int own() {
        return ranks.indexOf(rank.rank());
    }

    boolean isWhole() {
        return ranks.size() == rank.rankCount()
                && IntStream.range(0, ranks.size()).allMatch(each -> ranks.get(each) == each);
    }
}
