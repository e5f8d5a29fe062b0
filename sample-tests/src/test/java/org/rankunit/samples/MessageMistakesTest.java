package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Not a sample: what is said of mistakes with messages of process groups. */
@Tag("ranks")
class MessageMistakesTest {

    @TempDir
    private Path folder;

    @Test
    void bothRanksSayWhatWentWrong() {
        Path told = folder.resolve("told.txt");
        SampleRun run = SampleRun.of(
                MessageMistakes.class, folder, Map.of("rankunit.param." + MessageMistakes.TOLD, told.toString()));

        assertThat(run.passed).isEmpty();
        assertThat(run.failures).hasSize(6);
        assertSaid(
                run,
                "nobodyReceives",
                "failed on rank 1",
                "member 0 sent 3 float16, which this member (1) has not received before it closes the group",
                "rank 0 was released because rank 1 failed");
        assertSaid(
                run,
                "nobodySends",
                "failed on rank 1",
                "member 0 waits in irecv of 3 float16 from this member (1), which closes the group without sending it",
                "rank 0 was released because rank 1 failed");
        assertSaid(
                run,
                "aMismatchThatNobodyAwaits",
                "failed on ranks 0, 1",
                "irecv of 3 bfloat16 from member 0: member 0 sent 3 float16, but this member (1) receives 3 bfloat16",
                "isend of 3 float16 to member 1: this member (0) sent 3 float16, but member 1 receives 3 bfloat16");
        assertSaid(
                run,
                "theSenderFails",
                "failed on rank 1",
                "[the size of the world]",
                "rank 0 was released because rank 1 failed");
        assertSaid(
                run,
                "aMemberIsInAnotherCall",
                "failed on rank 0",
                "monitoredBarrier of 2 members: member 1 has closed the group without it",
                "rank 1 passed");
        assertSaid(
                run,
                "aMemberEnds",
                "its process on device 1 exited with code 7",
                "rank 0 was released ",
                " because rank 1 failed");
        assertThat(told)
                .content()
                .startsWith("monitoredBarrier of 2 members: member 1 has ended or failed: ")
                .endsWith("because of rank 1: the process of rank 1 ended");
    }

    private static void assertSaid(SampleRun run, String test, String... parts) {
        assertThat(run.failures)
                .filteredOn(each -> each.startsWith("MessageMistakes." + test + " "))
                .singleElement()
                .asString()
                .contains(parts);
    }
}
