package org.rankunit.engine.merge.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.protocol.FromRank;

@Tag("unit")
class TestCollectivesTest {

    private static final FromRank.Picture DRAWN = new FromRank.Picture("<svg/>", "");

    private final TestCollectives all = new TestCollectives();

    @Test
    void tasksOfRanksAreAddedAndRunsAreThoseOfTheRankWithMost() {
        all.add(ran("Ring", "a", 3, 10, FromRank.RanCollective.NO_PICTURE));
        all.add(ran("Ring", "a", 5, 12, FromRank.RanCollective.NO_PICTURE));

        assertThat(all.all())
                .containsExactly(new RanCollective(
                        "Ring", "all-reduce", "a", 5, 22, FromRank.RanCollective.NO_PICTURE, List.of()));
    }

    @Test
    void thePictureIsThatOfTheRankThatHasOneWhicheverRankComesFirst() {
        all.add(ran("Ring", "", 1, 1, FromRank.RanCollective.NO_PICTURE));
        all.add(ran("Ring", "", 1, 1, DRAWN));
        all.add(ran("Ring", "", 1, 1, FromRank.RanCollective.NO_PICTURE));

        assertThat(all.all()).extracting(RanCollective::picture).containsExactly(DRAWN);
    }

    @Test
    void otherTagsAreOtherEntries() {
        all.add(ran("Ring", "a", 1, 1, DRAWN));
        all.add(ran("Ring", "b", 1, 1, DRAWN));

        assertThat(all.all()).extracting(RanCollective::tag).containsExactly("a", "b");
    }

    private static FromRank.RanCollective ran(
            String algorithm, String tag, long runs, long tasks, FromRank.Picture picture) {
        return new FromRank.RanCollective("test", algorithm, "all-reduce", tag, runs, tasks, picture, null);
    }
}
