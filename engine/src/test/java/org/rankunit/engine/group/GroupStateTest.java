package org.rankunit.engine.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.group.GroupState.BOOTSTRAPPING;
import static org.rankunit.engine.group.GroupState.GONE;
import static org.rankunit.engine.group.GroupState.LEASED;
import static org.rankunit.engine.group.GroupState.READY;
import static org.rankunit.engine.group.GroupState.RUNNING;
import static org.rankunit.engine.group.GroupState.STARTING;
import static org.rankunit.engine.group.GroupState.STOPPING;
import static org.rankunit.engine.group.GroupState.TAINTED;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("unit")
class GroupStateTest {

    private static final Map<GroupState, List<GroupState>> MOVES = Map.of(
            LEASED, List.of(STARTING, GONE),
            STARTING, List.of(BOOTSTRAPPING, STOPPING),
            BOOTSTRAPPING, List.of(READY, STOPPING),
            READY, List.of(RUNNING, STOPPING),
            RUNNING, List.of(READY, TAINTED),
            TAINTED, List.of(STOPPING),
            STOPPING, List.of(GONE),
            GONE, List.of());

    @ParameterizedTest
    @EnumSource(GroupState.class)
    void onlyTheListedMovesArePossible(GroupState from) {
        assertThat(Arrays.stream(GroupState.values()).filter(from::mayBecome))
                .containsExactlyInAnyOrderElementsOf(MOVES.getOrDefault(from, List.of()));
    }

    @ParameterizedTest
    @EnumSource(value = GroupState.class, names = "GONE", mode = EnumSource.Mode.EXCLUDE)
    void everyStateLeadsToTheEnd(GroupState from) {
        assertThat(reachesTheEnd(from)).isTrue();
    }

    private static boolean reachesTheEnd(GroupState from) {
        GroupState now = from;
        for (int moves = 0; moves < GroupState.values().length && now != GONE; moves++) {
            List<GroupState> next = MOVES.getOrDefault(now, List.of());
            now = next.get(next.size() - 1);
        }
        return now == GONE;
    }
}
