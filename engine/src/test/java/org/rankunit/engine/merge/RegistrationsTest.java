package org.rankunit.engine.merge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RegistrationsTest {

    private static final String PLACE = "[engine:junit-jupiter]/[class:A]/[test-factory:f()]/[dynamic-test:#";
    private static final String INVOCATION =
            "[engine:junit-jupiter]/[class:A]/[test-template:p(int)]/[test-template-invocation:#";

    private final Registrations registrations = new Registrations();

    @Test
    void theSameOnAllRanksIsNoDifference() {
        dynamic(0, "a", "b");
        dynamic(1, "a", "b");

        assertThat(registrations.difference(2)).isEmpty();
    }

    @Test
    void nothingOnAnyRankIsNoDifference() {
        assertThat(registrations.difference(2)).isEmpty();
    }

    @Test
    void aDifferenceShowsTheListsOfAllRanks() {
        dynamic(0, "a");
        dynamic(1, "a", "b");

        assertThat(registrations.difference(2)).contains("""
                        the ranks registered different tests:
                          rank 0: "a"
                          rank 1: "a", "b"
                        What a rank runs must not depend on its number, on chance or on time.""");
    }

    @Test
    void ranksWithTheSameListShareALine() {
        dynamic(0, "a");
        dynamic(2, "a");

        assertThat(registrations.difference(3))
                .hasValueSatisfying(text -> assertThat(text).contains("\n  ranks 0, 2: \"a\"\n  rank 1: none\n"));
    }

    @Test
    void dynamicTestsOfDifferentNamesAtOnePlaceDiffer() {
        dynamic(0, "a");
        dynamic(1, "b");

        assertThat(registrations.difference(2)).isPresent();
        assertThat(registrations.otherNames(PLACE + "1]"))
                .contains("the ranks registered different tests at this place: rank 0 \"a\", rank 1 \"b\". What a rank"
                        + " runs must not depend on its number, on chance or on time.");
    }

    @Test
    void namesOfInvocationsMayDiffer() {
        registrations.add(0, INVOCATION + "1]", "[1] Input@1a2b");
        registrations.add(1, INVOCATION + "1]", "[1] Input@3c4d");

        assertThat(registrations.difference(2)).isEmpty();
        assertThat(registrations.otherNames(INVOCATION + "1]")).isEmpty();
    }

    @Test
    void ofLongListsOnlyTheDifferenceIsShown() {
        for (int i = 1; i <= 100; i++) {
            registrations.add(0, PLACE + i + "]", "test " + i);
            registrations.add(1, PLACE + i + "]", i == 7 ? "other" : "test " + i);
        }

        assertThat(registrations.difference(2))
                .hasValueSatisfying(text -> assertThat(text).contains("""
                          rank 0: 99 that all ranks have, and "test 7"
                          rank 1: 99 that all ranks have, and "other"
                        """));
    }

    @Test
    void aLongDifferenceIsCutAndCounted() {
        registrations.add(0, PLACE + "1]", "test 1");
        for (int i = 1; i <= 50; i++) {
            registrations.add(1, PLACE + i + "]", "test " + i);
        }

        assertThat(registrations.difference(2))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("rank 0: 1 that all ranks have, and none\n")
                        .contains("\"test 10\", \"test 11\" and 39 more\n"));
    }

    private void dynamic(int rank, String... names) {
        for (int i = 0; i < names.length; i++) {
            registrations.add(rank, PLACE + (i + 1) + "]", names[i]);
        }
    }
}
