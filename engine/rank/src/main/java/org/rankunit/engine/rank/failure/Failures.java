package org.rankunit.engine.rank.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;
import org.rankunit.comm.CommAbortedException;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.device.DeviceException;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.wire.Limits;

/** Converts throwables to data of limited size, no matter what the throwables' own methods do. */
public final class Failures {

    /** Code that calls a test and is therefore at the bottom of every stack. */
    private static final List<String> CALLERS =
            List.of("org.junit.", "java.", "jdk.", "sun.", "org.rankunit.engine.rank.", "org.rankunit.RankExtension");

    private static volatile boolean complete;

    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Truncated leftOut;

    private Failures(Truncated leftOut) {
        this.leftOut = leftOut;
    }

    /** From now on report complete stacks, for users who disable JUnit's stack trace pruning. */
    public static void keepCallers() {
        complete = true;
    }

    /** Convert a throwable with its causes and suppressed exceptions. */
    public static Failure of(Throwable throwable) {
        return of(throwable, new Truncated());
    }

    /** The same, and count in {@code leftOut} what does not fit. */
    public static Failure of(Throwable throwable, Truncated leftOut) {
        return new Failures(leftOut).dataOf(throwable);
    }

    /**
     * The rank whose failure released this one from the communicator, or -1 if this throwable has another reason.
     *
     * <p>A test may wrap what the communicator threw, so the causes are searched. Suppressed exceptions are not, since there a
     * consequence may accompany a failure of this rank's own.
     */
    public static int releasedBy(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = causeOf(t)) {
            if (t instanceof CommAbortedException aborted) {
                return aborted.failedRank();
            }
        }
        return -1;
    }

    /** Whether an abort has ended a wait for a device; searched as in {@link #releasedBy}. */
    public static boolean isAbortedDevice(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = causeOf(t)) {
            if (t instanceof DeviceException device && device.isAborted()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a wait in the communicator has timed out; searched as in {@link #releasedBy}. */
    public static boolean isLateCommunication(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = causeOf(t)) {
            if (t instanceof CommException late && late.error() == CommError.TIMEOUT) {
                return true;
            }
        }
        return false;
    }

    /** The vendor's error code that indicates a faulty device, or 0; searched as in {@link #releasedBy}. */
    public static int deviceError(Throwable throwable) {
        Throwable t = throwable;
        for (int depth = 0; t != null && depth < Limits.THROWABLES; depth++, t = causeOf(t)) {
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

    /** A throwable and its causes, the innermost last; as many as are reported of them. */
    public static List<Throwable> withCauses(Throwable throwable) {
        List<Throwable> all = new ArrayList<>();
        for (Throwable t = throwable; t != null && all.size() < Limits.THROWABLES; t = causeOf(t)) {
            all.add(t);
        }
        return all;
    }

    /** The first line of a throwable's text, at most 200 characters of it. */
    public static String headline(Throwable throwable) {
        String text = told("toString", throwable::toString);
        return text == null
                ? throwable.getClass().getName()
                : Limits.cut(text.lines().findFirst().orElse(""), 200);
    }

    private Failure dataOf(Throwable throwable) {
        seen.add(throwable);
        @Nullable String expected = null;
        @Nullable String actual = null;
        if (throwable instanceof AssertionFailedError error) {
            expected = textOf("getExpected", error::getExpected);
            actual = textOf("getActual", error::getActual);
        }
        Throwable cause = causeOf(throwable);
        return new Failure(
                throwable.getClass().getName(),
                messageOf(throwable),
                throwable instanceof AssertionError,
                actual == null ? null : expected,
                expected == null ? null : actual,
                frames(throwable),
                cause != null && mayFollow(cause) ? dataOf(cause) : null,
                suppressed(throwable));
    }

    private List<Failure> suppressed(Throwable throwable) {
        List<Failure> suppressed = new ArrayList<>();
        for (Throwable each : throwable.getSuppressed()) {
            if (mayFollow(each)) {
                suppressed.add(dataOf(each));
            }
        }
        return suppressed;
    }

    private boolean mayFollow(Throwable next) {
        boolean isNew = !seen.contains(next);
        leftOut.add(isNew && seen.size() >= Limits.THROWABLES ? 1 : 0, "causes or suppressed exceptions");
        return isNew && seen.size() < Limits.THROWABLES;
    }

    private @Nullable String messageOf(Throwable throwable) {
        String message = told("getMessage", throwable::getMessage);
        return message == null ? null : leftOut.cut(message, Limits.MESSAGE_CHARS);
    }

    private @Nullable String textOf(String method, Supplier<@Nullable ValueWrapper> value) {
        String text = told(method, () -> {
            ValueWrapper wrapper = value.get();
            return wrapper == null ? null : wrapper.getStringRepresentation();
        });
        return text == null ? null : leftOut.cut(text, Limits.MESSAGE_CHARS);
    }

    /** The cause, or {@code null} if there is none or the throwable does not give it. */
    private static @Nullable Throwable causeOf(Throwable throwable) {
        return asked(throwable::getCause, broken -> null);
    }

    /** What a method of a user's exception returns, or a note that it throws. */
    private static @Nullable String told(String method, Supplier<@Nullable String> text) {
        return asked(
                text,
                broken -> "(its " + method + "() threw " + broken.getClass().getName() + ")");
    }

    /** Any method of a user's exception, or of a mock of one, may throw. */
    private static <T> @Nullable T asked(Supplier<@Nullable T> question, Function<Throwable, @Nullable T> otherwise) {
        try {
            return question.get();
        } catch (Throwable broken) {
            return otherwise.apply(broken);
        }
    }

    private List<Failure.Frame> frames(Throwable throwable) {
        StackTraceElement[] trace = traceOf(throwable);
        int wanted = complete ? trace.length : withoutCallers(trace);
        int length = Math.min(wanted, Limits.FRAMES);
        leftOut.add(wanted - length, "stack frames");
        List<Failure.Frame> frames = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            String file = trace[i].getFileName();
            frames.add(new Failure.Frame(
                    leftOut.cut(trace[i].getClassName(), Limits.NAME_CHARS),
                    leftOut.cut(trace[i].getMethodName(), Limits.NAME_CHARS),
                    file == null ? null : leftOut.cut(file, Limits.NAME_CHARS),
                    trace[i].getLineNumber()));
        }
        return frames;
    }

    private static StackTraceElement[] traceOf(Throwable throwable) {
        StackTraceElement[] trace = asked(throwable::getStackTrace, broken -> null);
        return trace == null
                ? new StackTraceElement[0]
                : Stream.of(trace).filter(Objects::nonNull).toArray(StackTraceElement[]::new);
    }

    /** The number of frames down to the user's outermost one; all frames if there is none. */
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
