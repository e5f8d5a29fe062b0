package org.rankunit.comm.recorder;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * One operation of a communicator, as recorded by a {@link FlightRecorder}.
 *
 * @param number counts the operations of this kind on this rank in this domain, from 1
 * @param bytes number of bytes this rank contributed; 0 if the operation moves no data
 * @param peers the participating ranks; empty for all
 * @param domain number of the domain among those of the same ranks in the same order, from 1; 0 for the whole communicator
 * @param limited whether it has its own deadline
 * @param startedNanos {@link System#nanoTime()} at its start; the clock is the same for all processes of a machine
 * @param callers the stack that started it, without the communicator's own frames; empty once it is done
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record RecordedOperation(
        Kind kind,
        long number,
        long bytes,
        List<Integer> peers,
        int domain,
        boolean limited,
        State state,
        long startedNanos,
        List<StackTraceElement> callers) {

    /** Kinds of operations. */
    public enum Kind {
        BARRIER,
        /** The preparation or a run of a collective. */
        COLLECTIVE,
        /** Of a domain's windows. */
        ALLOCATION,
        /** Of a domain's windows. */
        RELEASE;

        /** The name in messages. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The state of an operation. */
    public enum State {
        /** In progress. */
        ENTERED,
        DONE,
        /** Another rank failed, died or left in the meantime. */
        RELEASED,
        /** It failed on this rank, for example by a time-out. */
        FAILED
    }
}
