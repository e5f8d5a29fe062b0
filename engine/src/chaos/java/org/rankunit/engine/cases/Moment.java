package org.rankunit.engine.cases;

/** When a fault strikes. */
public enum Moment {
    /** Before anything of ours runs in the JVM of the rank. */
    START,
    /** While the rank brings up its device and communicator. */
    BOOTSTRAP,
    /** Some time after its start. */
    ANYTIME,
    BEFORE_ALL,
    /** Jupiter makes the instance of the first test, before the ranks meet for it. */
    CONSTRUCTOR,
    BEFORE_EACH,
    BODY,
    BETWEEN_BARRIERS,
    /** The rank itself waits for the others, and one of these has not come. */
    IN_BARRIER,
    VERIFY,
    AFTER_EACH,
    AFTER_ALL,
    /** While the JVM of the rank ends, since it was asked to. */
    SHUTDOWN;

    /** Whether it comes before there is any test; then an agent in the JVM strikes. */
    public boolean isOfAgent() {
        return compareTo(ANYTIME) <= 0;
    }

    /** Whether another thread strikes than the one that runs the tests. */
    boolean isOfAnotherThread() {
        return this == BOOTSTRAP || this == ANYTIME || this == IN_BARRIER || this == SHUTDOWN;
    }

    /** Whether it is in one of the tests, rather than in the class around them. */
    boolean isOfOneTest() {
        return isOfTest() && this != BEFORE_ALL && this != AFTER_ALL;
    }

    /** Whether the thread that runs the tests strikes, in a method of the test class. */
    boolean isOfTest() {
        return !isOfAgent() && !isOfAnotherThread();
    }
}
