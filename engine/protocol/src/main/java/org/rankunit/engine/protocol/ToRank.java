package org.rankunit.engine.protocol;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message from the parent to a rank. */
public sealed interface ToRank {

    /**
     * Bring up the device, and the communicator if there is to be one; answered once, by {@link FromRank.BroughtUp} or {@link FromRank.BringUpFailed}.
     *
     * @param runtime name of the only runtime that this rank loads; empty for none
     * @param devices the devices of all ranks with their nodes, in the order of the ranks
     * @param deviceId the number of this rank's device on its node
     * @param runtimeDeviceId the number of the same device in the platform's runtime
     * @param jupiter class of Jupiter's engine; if it is named, the rank does not have to search for it
     * @param rootInfo path of the file by which the ranks find each other if {@code commLibrary} provides the communicator;
     *     otherwise they use {@link FromRank.RootInfo} and {@link ToRank.RootInfo}
     * @param communicator whether the ranks get a communicator
     * @param commLibrary a third-party communication library, or {@code null}
     * @param commInitForm the form of its {@code comm_init}
     * @param timeoutMillis how long the bring-up may take
     * @param deviceTimeoutMillis how long a kernel may run
     * @param commTimeoutMillis how long a wait in the communicator may take once that is up
     * @param kernels libraries of the kernels that were compiled from source, by the kernels' names
     * @param kernelProblems why other kernels have a source and no library, by their names
     * @param properties system properties to set before any user class is loaded
     * @param parameters configuration parameters for Jupiter
     * @param skipsGoldens whether no output is compared with a golden
     * @param forwardsOutput whether what the rank prints reaches the parent over a network, and later than its messages
     * @param files how the rank reaches the parent's files, or {@code null} if it sees them
     * @param runningKernels where to note which kernels run
     * @param recording where to record what happens on the device, or {@code null} to record nothing
     */
    record BringUp(
            String platform,
            String runtime,
            int worldSize,
            List<DeviceRef> devices,
            int deviceId,
            int runtimeDeviceId,
            String jupiter,
            String rootInfo,
            boolean communicator,
            @Nullable String commLibrary,
            String commInitForm,
            long windowBytes,
            long timeoutMillis,
            long deviceTimeoutMillis,
            long commTimeoutMillis,
            Map<String, String> kernels,
            Map<String, String> kernelProblems,
            Map<String, String> properties,
            Map<String, String> parameters,
            boolean skipsGoldens,
            boolean forwardsOutput,
            @Nullable FileAccess files,
            String runningKernels,
            @Nullable EventRecording recording)
            implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.bringUp(this);
        }
    }

    /** Sent to all ranks except 0, once during the bring-up: what rank 0 reported in {@link FromRank.RootInfo}. */
    record RootInfo(String text) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.rootInfo(this);
        }
    }

    /** Run these tests through Jupiter; answered by many messages, of which {@link FromRank.RunEnded} is the last. */
    record RunTests(List<TestSelection> tests) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.runTests(this);
        }
    }

    /** The answer to {@link FromRank.Entering}: run the test, or leave it to other ranks. */
    record Enter(String uniqueId, boolean run) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.enter(this);
        }
    }

    /** Release whatever waits in the communicator, because this rank failed or gave up. Sent to every rank, including that one. */
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
     * Sent when all ranks have been quiet for a while; answered by {@link FromRank.Seen}. Unlike {@link ShowEvidence}, it writes
     * nothing to the rank's log.
     *
     * @param round returned with the answer
     */
    record Look(int round) implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.look(this);
        }
    }

    /** Close the communicator and exit. */
    record Shutdown() implements ToRank {

        @Override
        public <X extends Exception> void accept(Visitor<X> visitor) throws X {
            visitor.shutdown(this);
        }
    }

    /** Pass this message to the visitor. */
    <X extends Exception> void accept(Visitor<X> visitor) throws X;

    /**
     * Handles every kind of message; a visitor that omits one does not compile.
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
