package org.rankunit.engine.control;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the parent says to a rank. */
public sealed interface ToRank {

    /**
     * Bring up device and communicator; answered once, by {@link FromRank.BroughtUp} or {@link FromRank.BringUpFailed}.
     *
     * @param deviceId the device, as the pool counts
     * @param runtimeDeviceId the same, as the platform's runtime counts
     * @param jupiter class of Jupiter's engine; named, it need not be searched for
     * @param rootInfo path where the ranks of this communicator find each other if it is of {@code commLibrary}; else they
     *     meet by {@link FromRank.RootInfo} and {@link ToRank.RootInfo}
     * @param commLibrary somebody else's communication library, or {@code null}
     * @param commInitForm the form of its {@code comm_init}
     * @param timeoutMillis how long the bring-up may take
     * @param deviceTimeoutMillis how long a kernel may run
     * @param commTimeoutMillis how long a wait in the communicator may take once that is up
     * @param properties system properties to set before any class of the user is loaded
     * @param parameters configuration parameters for Jupiter
     */
    record BringUp(
            String platform,
            int rankCount,
            int deviceId,
            int runtimeDeviceId,
            String jupiter,
            String rootInfo,
            @Nullable String commLibrary,
            String commInitForm,
            long windowBytes,
            long timeoutMillis,
            long deviceTimeoutMillis,
            long commTimeoutMillis,
            Map<String, String> properties,
            Map<String, String> parameters)
            implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.bringUp(this);
        }
    }

    /** To all ranks but 0, once during the bring-up: what rank 0 said in {@link FromRank.RootInfo}. */
    record RootInfo(String text) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.rootInfo(this);
        }
    }

    /** Run these tests through Jupiter; answered by many messages and at the end by {@link FromRank.RunEnded}. */
    record RunTests(List<TestSelection> tests) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.runTests(this);
        }
    }

    /** Answer to {@link FromRank.Entering}: run it, or leave it for other ranks. */
    record Enter(String uniqueId, boolean run) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.enter(this);
        }
    }

    /** Release whatever waits in the communicator, because this rank failed or gave up; said to every rank, also to that one. */
    record Release(int failedRank, String reason) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.release(this);
        }
    }

    /** Print the stacks of all threads and the last operations, and answer with {@link FromRank.Evidence}. */
    record ShowEvidence() implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.showEvidence(this);
        }
    }

    /**
     * Answer with {@link FromRank.Seen}: all has been quiet for a while. Unlike {@link ShowEvidence} it leaves nothing in the
     * rank's log.
     *
     * @param round comes back with the answer
     */
    record Look(int round) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.look(this);
        }
    }

    /** End: close the communicator and exit. */
    record Shutdown() implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.shutdown(this);
        }
    }

    /** Give the visitor this message. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * Takes every kind of message, so that one that is forgotten does not compile.
     *
     * @param <X> what its methods may throw
     */
    interface Visitor<X extends Exception> {

        void bringUp(BringUp message) throws X;

        void rootInfo(RootInfo message) throws X;

        void runTests(RunTests message) throws X;

        void enter(Enter message) throws X;

        void release(Release message) throws X;

        void showEvidence(ShowEvidence message) throws X;

        void look(Look message) throws X;

        void shutdown(Shutdown message) throws X;
    }
}
