package org.rankunit.collective.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;

@Tag("unit")
class ServersTest {

    /** Against a list with the server of each rank. */
    @Test
    void ranksAreOnTheServersThatTheSizesSay() {
        Random random = new Random(9);
        for (int seed = 0; seed < 500; seed++) {
            List<Integer> sizes =
                    random.ints(1 + random.nextInt(6), 1, 5).boxed().toList();
            List<Integer> serverOf = new ArrayList<>();
            for (int server = 0; server < sizes.size(); server++) {
                for (int place = 0; place < sizes.get(server); place++) {
                    serverOf.add(server);
                }
            }

            Servers servers = Servers.ofSizes(sizes);

            assertThat(servers.sizes()).isEqualTo(sizes);
            assertThat(servers.ranks()).isEqualTo(serverOf.size());
            assertThat(servers.count()).isEqualTo(sizes.size());
            assertThat(servers.areEqual()).isEqualTo(sizes.stream().distinct().count() == 1);
            for (int rank = 0; rank < serverOf.size(); rank++) {
                int server = serverOf.get(rank);
                assertThat(servers.of(rank)).isEqualTo(server);
                assertThat(servers.first(server)).isEqualTo(serverOf.indexOf(server));
            }
        }
    }

    @Test
    void whatHasTheSameSizesIsEqualHoweverItWasMade() {
        assertThat(Servers.of(7, 3))
                .isEqualTo(Servers.ofSizes(List.of(3, 3, 1)))
                .hasSameHashCodeAs(Servers.parse("3", 7));
        assertThat(Servers.of(4, 9)).isEqualTo(Servers.one(4));
        assertThat(Servers.ofSizes(List.of(1, 3))).isNotEqualTo(Servers.ofSizes(List.of(3, 1)));
        assertThat(Servers.parse("1+3+2", 6))
                .isEqualTo(Servers.parse("1+3+2"))
                .hasToString("servers of 1, 3 and 2 ranks");
        assertThat(Servers.of(4, 2)).hasToString("2 ranks on each server");
        assertThat(Servers.of(2, 1)).hasToString("1 rank on each server");
        assertThat(Servers.of(3, 2)).hasToString("servers of 2 and 1 ranks");
        assertThat(Servers.one(2)).hasToString("one server");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1+2   | 1+2: these are 3 ranks, and there are 4
            4,    | "4,": expected ranks on each server, as in 4, or on servers of different size, as in 3+1+2
            0     | 0: a server has at least one rank
            1+0+3 | 1+0+3: a server has at least one rank
            2+    | "2+": expected
            -1    | "-1": expected
            1,3   | "1,3": expected
            99999999 | "99999999": expected
            """)
    void whatIsNoDivisionOfFourRanksIsSaid(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Servers.parse(text, 4))
                .withMessageStartingWith(message);
    }

    @Test
    void aCallHasTheRanksOfItsServers() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 6, DType.FLOAT32, 6);
        CollectiveCall uneven = call.withServers(Servers.parse("1+3+2"));

        assertThat(uneven.sameServer(1, 3)).isTrue();
        assertThat(uneven.sameServer(0, 1)).isFalse();
        assertThat(uneven).hasToString("all-reduce of 6 ranks, 6 float32, sum, servers of 1, 3 and 2 ranks");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> call.withServers(Servers.one(5)))
                .withMessage("servers of 5 ranks: the call has 6");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> uneven.withRanks(7))
                .withMessage("servers of 6 ranks: the call has 7");
        assertThat(call.withRanks(8).servers()).isEqualTo(Servers.one(8));
        assertThat(call.withRanksPerServer(2).withRanks(8).servers()).isEqualTo(Servers.of(8, 2));
    }
}
