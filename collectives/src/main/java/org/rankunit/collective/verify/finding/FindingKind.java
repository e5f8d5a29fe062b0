package org.rankunit.collective.verify.finding;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * What can be wrong with a schedule. Of two kinds, the later one is more likely to follow from the other.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum FindingKind {
    /** A task accesses bytes outside of its buffer. */
    OUT_OF_BOUNDS,
    /** The source and the target of a task overlap. */
    OVERLAP,
    /** Streams wait for each other, or for a notify that is never posted. */
    DEADLOCK,
    /** A notify is posted while it is set, or while it may be: one of the two is lost. */
    NOTIFY_POSTED_TWICE,
    /** Two streams wait for the same notify, and nothing orders them. */
    NOTIFY_AWAITED_TWICE,
    /** Two tasks access the same bytes, at least one of them writes, and nothing orders them. */
    RACE,
    /** A task reads bytes that no task has written. */
    UNWRITTEN_READ,
    /** A notify is set at the end: the next call would take it for its own. */
    NOTIFY_LEFT_SET,
    /** The input of the caller was changed. */
    INPUT_CHANGED,
    /** An output does not hold what the collective demands. */
    WRONG_RESULT,
    /** Work of a sub stream or of a write between servers is not awaited by the main stream of its rank. */
    NOT_JOINED,
    /** An exchange over a link does not begin with Ack, or does not end with DataSignal, between servers with DataAck. */
    INCOMPLETE_EXCHANGE,
    /** The tasks use fewer streams, notifies, links or bytes of scratch memory than the algorithm asks for. */
    UNUSED_RESOURCES,
    /** The algorithm declares a symmetry that its tasks do not have. */
    FALSE_SYMMETRY,
    /** Steps or bytes sent differ from the formula of the algorithm. */
    OTHER_COST;

    /** Which promise a schedule with such a finding breaks. */
    public Promise promise() {
        return switch (this) {
            case INCOMPLETE_EXCHANGE -> Promise.PROTOCOL;
            case UNUSED_RESOURCES, FALSE_SYMMETRY, OTHER_COST -> Promise.DECLARATION;
            default -> Promise.SAFETY;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
