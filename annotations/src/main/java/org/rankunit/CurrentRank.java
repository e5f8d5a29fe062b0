package org.rankunit;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Holds the session of this JVM if it is a rank; an ordinary JVM has none.
 *
 * <p>The engine sets the session once, in a rank JVM, before it loads any test class. Thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class CurrentRank {

    private static volatile @Nullable Session session;

    private CurrentRank() {}

    /** Get the session of this rank JVM, or {@code null} in an ordinary JVM. */
    public static @Nullable Session session() {
        return session;
    }

    /** Make this JVM a rank or, with {@code null}, an ordinary JVM again. */
    public static void enter(@Nullable Session newSession) {
        session = newSession;
    }

    /** What a rank does for the tests that run in it. */
    public interface Session {

        /** Get the context that tests see. */
        RankContext context();

        /**
         * Wait until all ranks are about to run this test, and return whether it may run here.
         *
         * <p>Another call for the same test returns the same result at once.
         *
         * @param uniqueId Jupiter's unique id of the test
         * @return false if the test must not run on these ranks any more, because an earlier one failed
         */
        boolean mayRun(String uniqueId);

        /** Called when the instance of a test is created; everything around that test has been set up by then. */
        void instanceCreated();

        /**
         * Called before the first {@code @BeforeEach} method of a test. Makes what was put into windows for the test
         * visible on all ranks, where that takes a barrier.
         */
        void beginTest();

        /**
         * Called before the method of a test, after all {@code @BeforeEach} methods.
         *
         * @param arguments those of the method
         */
        void bodyBegins(String uniqueId, List<@Nullable Object> arguments);

        /** Called when the method of a test has ended without an exception, before any {@code @AfterEach} method. */
        void bodyEnded(String uniqueId);

        /** Returns whether tests can still use the communicator of this rank. */
        boolean isSound();

        /**
         * Throw if the user's code has just left the communicator of this rank in a state that the next test cannot
         * use.
         *
         * @throws IllegalStateException with what happened to it
         */
        void requireSound();

        /** Returns how often the body of the running test is run: 1 unless the test has rounds. */
        int rounds();

        /** Wait until all ranks are about to begin the next round, and reset the buffers unless it is the first one. */
        void beginRound();

        /**
         * Called when a round has ended here.
         *
         * @throws AssertionError if it left something that it must not
         */
        void endRound();

        /**
         * Called as soon as something has failed here, before any further lifecycle method runs, so that ranks which
         * wait for this rank are released.
         */
        void failed(Throwable cause);
    }
}
