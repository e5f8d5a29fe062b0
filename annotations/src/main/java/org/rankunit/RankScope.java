package org.rankunit;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Hold what this JVM is: a rank with its session, or an ordinary JVM without one.
 *
 * <p>The engine sets the session once, in a rank JVM, before it loads any test class. Thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class RankScope {

    private static volatile @Nullable Session session;

    private RankScope() {}

    /** Get the session of this rank JVM, or {@code null} in an ordinary JVM. */
    public static @Nullable Session session() {
        return session;
    }

    /** Make this JVM a rank, or with {@code null} an ordinary JVM again. */
    public static void enter(@Nullable Session newSession) {
        session = newSession;
    }

    /** What a rank does for the tests that run in it. */
    public interface Session {

        /** Get the context that tests see. */
        RankContext context();

        /**
         * Wait until all ranks are about to run this test, and learn whether it is to run here.
         *
         * <p>Asked again for the same test it answers at once, and the same.
         *
         * @param uniqueId Jupiter's unique id of the test
         * @return false if the test must not run on these ranks any more, because an earlier one failed
         */
        boolean mayRun(String uniqueId);

        /** Learn that the instance of a test is being made, for which everything around that test has been set up. */
        void instanceIsMade();

        /** Tell whether the communicator of this rank can serve tests still. */
        boolean isSound();

        /**
         * Throw if what the user's code has just done has left the communicator of this rank of no use to the next test.
         *
         * @throws IllegalStateException with what happened to it
         */
        void requireSound();

        /**
         * Learn at once that something failed here, before any further lifecycle method runs, so that ranks which wait
         * for this one are released.
         */
        void failed(Throwable cause);
    }
}
