package org.rankunit.engine.rank;

import org.jspecify.annotations.Nullable;

/**
 * The test that a rank last asked to enter, with the answer.
 *
 * @param uniqueId the id of the test; {@code null} before the first test of an order
 */
record TestEntry(@Nullable String uniqueId, Answer answer) {

    /** What the parent answered, or what the rank itself decided if it could not ask. */
    enum Answer {
        NONE,
        ENTERED,
        REFUSED
    }

    /** The value before the first test of an order. */
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
