package org.rankunit.engine.rank;

import org.jspecify.annotations.Nullable;

/**
 * The test that a rank asked to enter last, with the answer.
 *
 * @param uniqueId of the test; {@code null} before the first one of an order
 */
record TestEntry(@Nullable String uniqueId, Answer answer) {

    /** What the parent answered, or the rank itself if it could not even ask. */
    enum Answer {
        NONE,
        ENTERED,
        REFUSED
    }

    /** Before the first test of an order. */
    static final TestEntry NONE = new TestEntry(null, Answer.NONE);

    boolean isOf(String test) {
        return test.equals(uniqueId);
    }

    boolean isEntered() {
        return answer == Answer.ENTERED;
    }

    boolean isRefused() {
        return answer == Answer.REFUSED;
    }

    /** Whether it is this test, or one inside it. */
    boolean isWithin(String around) {
        return uniqueId != null && (uniqueId.equals(around) || uniqueId.startsWith(around + "/"));
    }
}
