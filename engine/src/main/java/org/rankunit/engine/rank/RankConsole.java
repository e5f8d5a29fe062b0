package org.rankunit.engine.rank;

import java.io.PrintStream;

/** Where this rank writes into its log for itself, whatever a test does with {@link System#err}. */
final class RankConsole {

    private static final PrintStream ERR = System.err;

    private RankConsole() {}

    /** Keep the stream of errors as it is now; later calls change nothing. */
    static void keep() {
        ERR.flush();
    }

    /** The stream that was kept. */
    static PrintStream err() {
        return ERR;
    }
}
