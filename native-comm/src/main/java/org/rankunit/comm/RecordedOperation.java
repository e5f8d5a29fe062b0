package org.rankunit.comm;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * One operation of a communicator, as a {@link FlightRecorder} has it.
 *
 * @param number counts the operations of this kind on this rank in this domain, from 1
 * @param bytes how much this rank gave to it; 0 for one that moves nothing
 * @param peers the ranks it is done with; empty for all
 * @param domain which of the domains of just these ranks in this order, from 1; 0 for the communicator as a whole
 * @param limited whether it has a deadline of its own
 * @param startedNanos {@link System#nanoTime()} of its start, which all processes of a machine share
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

    /** What there is to do in a communicator. */
    public enum Kind {
        BARRIER,
        /** Of a domain's windows. */
        ALLOCATION,
        /** Of a domain's windows. */
        RELEASE;

        /** The name that messages use. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How far an operation is. */
    public enum State {
        /** A thread is inside. */
        ENTERED,
        DONE,
        /** Another rank failed, died or left meanwhile. */
        RELEASED,
        /** It failed on this rank, for example by its time-out. */
        FAILED
    }
}
