package org.rankunit.engine.timeline.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compared with all pairs of users that are in conflict. */
@Tag("unit")
class LastUsersTest {

    private record Use(int user, @Nullable Long group, long from, long to, boolean writes, boolean searches) {

        boolean isBefore(Use later) {
            boolean ofOneGroup = group != null && group.equals(later.group);
            return from < to
                    && later.from < later.to
                    && from < later.to
                    && later.from < to
                    && (writes || later.writes)
                    && user != later.user
                    && !ofOneGroup
                    && later.searches;
        }
    }

    /** Uses of users with up to three each, some of which belong to groups, and some of which do not come after anybody. */
    private static List<Use> uses(Random random, int users) {
        List<Use> uses = new ArrayList<>();
        long group = 0;
        for (int user = 0; user < users; user++) {
            group += random.nextInt(4) == 0 ? 1 : 0;
            Long ofUser = group % 3 == 1 ? group : null;
            for (int i = random.nextInt(4); i > 0; i--) {
                long from = random.nextInt(30);
                long to = from + random.nextInt(12);
                uses.add(new Use(user, ofUser, from, to, random.nextInt(3) > 0, random.nextInt(10) > 0));
            }
        }
        return uses;
    }

    private static boolean[][] closure(boolean[][] edges) {
        int n = edges.length;
        for (int via = 0; via < n; via++) {
            for (int a = 0; a < n; a++) {
                for (int b = 0; b < n; b++) {
                    edges[a][b] |= edges[a][via] && edges[via][b];
                }
            }
        }
        return edges;
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 12, 25})
    void theSameUsersComeAfterEachOtherAsIfAllWereCompared(int users) {
        for (int seed = 0; seed < 400; seed++) {
            List<Use> uses = uses(new Random(seed), users);
            boolean[][] all = new boolean[users][users];
            boolean[][] told = new boolean[users][users];
            LastUsers<Integer> last = new LastUsers<>();
            for (int i = 0; i < uses.size(); i++) {
                Use use = uses.get(i);
                for (Use earlier : uses.subList(0, i)) {
                    all[earlier.user][use.user] |= earlier.isBefore(use);
                }
                last.add(use.user, use.group, use.from, use.to, use.writes, earlier -> {
                    boolean isOther = earlier != use.user;
                    told[earlier][use.user] |= isOther && use.searches;
                    return !isOther || use.searches;
                });
            }

            assertThat(closure(told)).as("seed %d: %s", seed, uses).isDeepEqualTo(closure(all));
        }
    }

    @Test
    void aLongChainIsToldOfOneUserEach() {
        LastUsers<Integer> last = new LastUsers<>();
        int[] told = new int[1];
        for (int user = 0; user < 100_000; user++) {
            last.add(user, null, 0, 8, true, earlier -> {
                told[0]++;
                return true;
            });
        }

        assertThat(told[0]).isEqualTo(99_999);
    }
}
