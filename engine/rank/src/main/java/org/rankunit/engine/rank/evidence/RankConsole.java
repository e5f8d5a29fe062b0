package org.rankunit.engine.rank.evidence;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.LogMark;

/** The stream through which this rank writes to its log, whatever a test does with {@link System#err}. */
public final class RankConsole {

    private static final PrintStream ERR = System.err;

    /** What follows a mark; {@code null} if no marks are printed. */
    private static volatile @Nullable Runnable afterMark;

    private RankConsole() {}

    /**
     * From now on, print a mark at the end of each test.
     *
     * @param after what is done then
     */
    public static void markEndsOfTests(Runnable after) {
        afterMark = after;
    }

    /** A test has ended here: print a mark, if the parent needs one to tell the output of tests apart. */
    public static void testEnds() {
        Runnable after = afterMark;
        if (after != null) {
            ERR.print(LogMark.TEST_ENDS);
            ERR.flush();
            after.run();
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
