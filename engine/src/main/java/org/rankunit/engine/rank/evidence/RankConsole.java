package org.rankunit.engine.rank.evidence;

import java.io.PrintStream;
import org.rankunit.engine.control.LogMark;

/** The stream through which this rank writes to its log, whatever a test does with {@link System#err}. */
public final class RankConsole {

    private static final PrintStream ERR = System.err;

    private static volatile boolean marks;

    private RankConsole() {}

    /** From now on, print a mark at the end of each test. */
    public static void markEndsOfTests() {
        marks = true;
    }

    /** A test has ended here: print a mark, if the parent needs one to tell the output of tests apart. */
    public static void testEnds() {
        if (marks) {
            ERR.print(LogMark.TEST_ENDS);
            ERR.flush();
        }
    }

    /** Keep the current error stream; later calls have no effect. */
    public static void keep() {
        ERR.flush();
    }

    /** The stream that was kept. */
    public static PrintStream err() {
        return ERR;
    }
}
