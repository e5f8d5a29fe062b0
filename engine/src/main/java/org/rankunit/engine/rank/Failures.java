package org.rankunit.engine.rank;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;
import org.rankunit.comm.CommAbortedException;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.device.DeviceException;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.control.Failure;
import org.rankunit.engine.control.Limits;

/** Turns throwables into data, bounded in every direction. */
final class Failures {

    /** What calls a test, and is below it in every stack. */
    private static final List<String> CALLERS =
            List.of("org.junit.", "java.", "jdk.", "sun.", "org.rankunit.engine.rank.", "org.rankunit.RankOnly");

    private static volatile boolean complete;

    private Failures() {}

    /** From now on say whole stacks, as a user may want who asks JUnit not to prune them. */
    static void keepCallers() {
        complete = true;
    }

    static Failure of(Throwable throwable) {
        return of(throwable, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    /**
     * The rank whose failure released this one from the communicator, or -1 if this throwable has another reason.
     *
     * <p>A test may wrap what the communicator threw, so the causes are looked through; not the suppressed ones, since
     * there a consequence may stand beside a failure of this rank's own.
     */
    static int releasedBy(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = t.getCause()) {
            if (t instanceof CommAbortedException aborted) {
                return aborted.failedRank();
            }
        }
        return -1;
    }

    /** Whether a wait in the communicator has taken too long; looked for as {@link #releasedBy} does. */
    static boolean isLateCommunication(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = t.getCause()) {
            if (t instanceof CommException late && late.error() == CommError.TIMEOUT) {
                return true;
            }
        }
        return false;
    }

    /** The vendor's error that tells of a device at fault, or 0; looked for as {@link #releasedBy} does. */
    static int deviceError(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = t.getCause()) {
            int error = vendorError(t).orElse(0);
            if (VendorErrors.isOfDevice(error)) {
                return error;
            }
        }
        return 0;
    }

    private static OptionalInt vendorError(Throwable t) {
        if (t instanceof DeviceException device) {
            return device.vendorError();
        }
        return t instanceof CommException comm ? comm.vendorError() : OptionalInt.empty();
    }

    static String headline(Throwable throwable) {
        return Limits.cut(throwable.toString().lines().findFirst().orElse(""), 200);
    }

    private static Failure of(Throwable throwable, Set<Throwable> seen) {
        seen.add(throwable);
        @Nullable String expected = null;
        @Nullable String actual = null;
        if (throwable instanceof AssertionFailedError error && error.isExpectedDefined() && error.isActualDefined()) {
            expected = textOf(error.getExpected());
            actual = textOf(error.getActual());
        }
        Throwable cause = throwable.getCause();
        List<Failure> suppressed = new ArrayList<>();
        for (Throwable each : throwable.getSuppressed()) {
            if (mayFollow(each, seen)) {
                suppressed.add(of(each, seen));
            }
        }
        return new Failure(
                throwable.getClass().getName(),
                messageOf(throwable),
                throwable instanceof AssertionError,
                expected,
                actual,
                frames(throwable),
                cause != null && mayFollow(cause, seen) ? of(cause, seen) : null,
                suppressed);
    }

    private static boolean mayFollow(Throwable next, Set<Throwable> seen) {
        return seen.size() < Limits.THROWABLES && !seen.contains(next);
    }

    /** A user's exception may fail to say what it is. */
    private static @Nullable String messageOf(Throwable throwable) {
        try {
            String message = throwable.getMessage();
            return message == null ? null : Limits.cut(message, Limits.MESSAGE_CHARS);
        } catch (RuntimeException e) {
            return "(its getMessage() threw " + e.getClass().getName() + ")";
        }
    }

    private static String textOf(@Nullable ValueWrapper value) {
        return value == null ? "null" : Limits.cut(value.getStringRepresentation(), Limits.MESSAGE_CHARS);
    }

    private static List<Failure.Frame> frames(Throwable throwable) {
        StackTraceElement[] trace = throwable.getStackTrace();
        int length = Math.min(complete ? trace.length : withoutCallers(trace), Limits.FRAMES);
        List<Failure.Frame> frames = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            frames.add(new Failure.Frame(
                    trace[i].getClassName(),
                    trace[i].getMethodName(),
                    trace[i].getFileName(),
                    trace[i].getLineNumber()));
        }
        return frames;
    }

    /** The number of frames down to the outermost one of the user; all where there is none. */
    private static int withoutCallers(StackTraceElement[] trace) {
        for (int i = trace.length - 1; i >= 0; i--) {
            if (!isCaller(trace[i].getClassName())) {
                return i + 1;
            }
        }
        return trace.length;
    }

    private static boolean isCaller(String type) {
        for (String caller : CALLERS) {
            if (type.startsWith(caller)) {
                return true;
            }
        }
        return false;
    }
}
