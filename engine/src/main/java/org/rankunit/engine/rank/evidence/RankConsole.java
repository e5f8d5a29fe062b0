package org.rankunit.engine.rank.evidence;

import java.io.PrintStream;

/** The stream through which this rank writes to its log, whatever a test does with {@link System#err}. */
public final class RankConsole {

    private static final PrintStream ERR = System.err;

    private RankConsole() {}

    /** Keep the current error stream; later calls have no effect. */
    public static void keep() {
        ERR.flush();
    }

    /** The stream that was kept. */
    public static PrintStream err() {
        return ERR;
    }
}
