package org.rankunit.engine.protocol;

/** Marks in what a rank prints. The parent removes them from what it shows. */
public final class LogMark {

    /**
     * The line before what a rank prints about itself while it hangs. That output is meant for the rank's log: shown with the
     * output of a test, it would bury what the test itself has printed.
     */
    public static final String EVIDENCE_BEGINS = "rankunit: start of the evidence";

    public static final String EVIDENCE_ENDS = "rankunit: end of the evidence";

    /**
     * Printed when a test ends, by ranks whose output takes another way to the parent than their messages, and arrives later. What
     * was printed before it belongs to the test.
     */
    public static final String TEST_ENDS = "\u0002rankunit: end of a test\u0003\n";

    /** The last line of a rank that ends because its control channel has ended. */
    public static final String CHANNEL_ENDED =
            "rankunit: the control channel has ended, and with it this rank and its processes";

    private LogMark() {}
}
