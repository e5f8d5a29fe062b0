package org.rankunit.engine.control;

/**
 * Lines that enclose what a rank prints about itself while it hangs. That output is meant for the rank's log: shown with the output
 * of a test, it would bury what the test itself has printed.
 */
public final class EvidenceMark {

    public static final String BEGIN = "rankunit: begin of the evidence";
    public static final String END = "rankunit: end of the evidence";

    private EvidenceMark() {}
}
