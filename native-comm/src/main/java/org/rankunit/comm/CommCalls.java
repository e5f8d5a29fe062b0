package org.rankunit.comm;

import java.util.Optional;
import java.util.Set;
import java.util.function.LongToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.CommFunctions;
import org.rankunit.comm.jna.CommLibrary;
import org.rankunit.comm.jna.NativeHandle;
import org.rankunit.comm.recorder.FlightRecorder;

/** Calls of one communicator; turns a status into an exception. */
final class CommCalls {

    /** The classes of the communicator whose frames may stand above the user's line in a stack. */
    private static final Set<String> OWN_CLASSES = Set.of(
            Communicator.class.getName(),
            Domain.class.getName(),
            TaskPlan.class.getName(),
            VendorCollectives.class.getName(),
            CommCalls.class.getName());

    private final String owner;

    private final CommLibrary library;

    private final NativeHandle handle;

    /** The first thing this rank did that may have aborted the communicator. */
    private volatile @Nullable String abort;

    private volatile UnaryOperator<String> signature = UnaryOperator.identity();

    /**
     * @param owner how messages begin: "rank 0 of 2"
     */
    CommCalls(String owner, CommLibrary library, long handle) {
        this.owner = owner;
        this.library = library;
        this.handle = new NativeHandle("the communicator of " + owner, handle);
    }

    /** Creates the recorder of a communicator's operations. */
    static FlightRecorder newRecorder() {
        return new FlightRecorder(OWN_CLASSES, CommAbortedException.class::isInstance, CommCalls::isRefusal);
    }

    private static boolean isRefusal(Throwable failure) {
        return failure instanceof IllegalStateException
                || (failure instanceof CommException comm
                        && switch (comm.error()) {
                            case INVALID_STATE, INVALID_ARGUMENT, NOT_SUPPORTED -> true;
                            default -> false;
                        });
    }

    NativeHandle handle() {
        return handle;
    }

    /** The first thing this rank did that may have aborted the communicator. */
    Optional<String> abort() {
        return Optional.ofNullable(abort);
    }

    /** A thread that aborts the communicator from now on gives its reason in this form, on its own thread. */
    void sign(UnaryOperator<String> signed) {
        signature = signed;
    }

    String signed(String reason) {
        return signature.apply(reason);
    }

    /** Note that this rank aborts the communicator. */
    void aborts(String what) {
        if (abort == null) {
            abort = what;
        }
    }

    void call(String what, LongToIntFunction function) {
        handle.use(h -> {
            int status = function.applyAsInt(h);
            if (status != 0) {
                throw failure(what, h, status);
            }
            return status;
        });
    }

    private CommException failure(String what, long h, int status) {
        // Before any other call: the text is that of the last failure on this thread.
        String message = owner + ", " + what + ": " + library.lastError();
        CommError error = CommError.of(status);
        return switch (error) {
            case ABORTED, PEER_DIED, PEER_LEFT ->
                new CommAbortedException(error, CommFunctions.comm_aborted_by(h), message);
            case INVALID_ARGUMENT, INVALID_STATE, NOT_SUPPORTED -> new CommException(status, message);
            default -> {
                aborts(signed(message));
                yield new CommException(status, message);
            }
        };
    }
}
