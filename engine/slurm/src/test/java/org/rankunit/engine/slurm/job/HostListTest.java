package org.rankunit.engine.slurm.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class HostListTest {

    /** The right column is what scontrol show hostnames prints. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node1                | node1",
                "node[1-2,7,07],x     | node1 node2 node7 node07 x",
                "a[1-2]b[3-4]         | a1b3 a1b4 a2b3 a2b4",
                "a[001-3]             | a001 a002 a003",
                "a[8-010]             | a8 a9 a10",
                "a-b.c_d              | a-b.c_d",
            })
    void namesAreThoseThatScontrolPrints(String text, String names) {
        assertThat(HostList.expand(text)).containsExactly(names.split(" "));
    }

    @Test
    void textMayFollowBrackets() {
        assertThat(HostList.expand("rack[08-10]-npu,b")).containsExactly("rack08-npu", "rack09-npu", "rack10-npu", "b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "a,",
                "a,,b",
                "a[",
                "a[1",
                "a[1-",
                "a]",
                "a[]",
                "a[1,]",
                "a[-1]",
                "a[1-2-3]",
                "a[x]",
                "a[[1]]",
                "a[1, 2]",
                "a, b",
                "a b",
                "(null)",
                "a[2-1]",
                "a[1]]",
                "a;b",
                "a[1-9999999999999999999]",
                "ä"
            })
    void rubbishIsRefusedWithTheText(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostList.expand(text))
                .withMessageStartingWith("\"" + text + "\" is not a list of hosts of Slurm: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a[1-100001]",
                "a[1-400]b[1-400]",
                "a[1-60000],b[1-60000]",
                "a[1-60000,1-60000]",
                "a[0-999999999999999999]"
            })
    void moreThanAHundredThousandHostsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostList.expand(text))
                .withMessageContaining("more than 100000 hosts");
    }

    @Test
    void aHundredThousandHostsAreExpanded() {
        assertThat(HostList.expand("a[1-100000]")).hasSize(100_000).endsWith("a100000");
    }

    @RepeatedTest(200)
    void anyListIsExpandedToTheNamesThatItWasMadeOf(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<String> names = new ArrayList<>();
        List<String> items = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
            String prefix = List.of("node", "n-1.x", "a").get(random.nextInt(3));
            int width = 1 + random.nextInt(4);
            List<String> ranges = new ArrayList<>();
            for (int range = 0; range <= random.nextInt(3); range++) {
                int first = random.nextInt(200);
                int last = first + random.nextInt(20);
                String lower = String.format("%0" + width + "d", first);
                ranges.add(first == last ? lower : lower + "-" + last);
                for (int number = first; number <= last; number++) {
                    names.add(prefix + String.format("%0" + width + "d", number));
                }
            }
            items.add(prefix + "[" + String.join(",", ranges) + "]");
        }

        assertThat(HostList.expand(String.join(",", items))).isEqualTo(names);
    }
}
