package org.rankunit.engine.control;

/**
 * Lines around what a rank prints of itself while it hangs. It is for the rank's log: shown among the output of a test it would bury
 * what the test has printed.
 */
public final class EvidenceMark {

    public static final String BEGIN = "rankunit: begin of the evidence";
    public static final String END = "rankunit: end of the evidence";

    private EvidenceMark() {}
}
