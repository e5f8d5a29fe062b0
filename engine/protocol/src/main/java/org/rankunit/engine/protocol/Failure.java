package org.rankunit.engine.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.wire.Limits;

/**
 * A throwable as data, since the class of the original may be unknown or not serializable where it is read.
 *
 * @param type name of the throwable's class
 * @param message its message, cut to {@link Limits#MESSAGE_CHARS}
 * @param assertion whether it is an {@link AssertionError}, which reports call a failure rather than an error
 * @param expected text of the expected value, if the assertion has one
 * @param actual text of the actual value, if the assertion has one
 */
public record Failure(
        String type,
        @Nullable String message,
        boolean assertion,
        @Nullable String expected,
        @Nullable String actual,
        List<Frame> frames,
        @Nullable Failure cause,
        List<Failure> suppressed) {

    private static final String INITIALIZER = ExceptionInInitializerError.class.getName();

    /** What {@link Throwable#toString} would return. */
    public String name() {
        return message == null ? type : type + ": " + message;
    }

    /**
     * Name the failure as {@link #name} does. If it comes from a static initializer, start with the exception that was thrown
     * there.
     */
    public String headline() {
        if (cause != null && type.equals(INITIALIZER)) {
            return cause.headline() + ", in the static initializer" + initialized(cause.frames()) + " (" + name() + ")";
        } else if (cause != null && cause.type().equals(INITIALIZER)) {
            // A later use of the class throws NoClassDefFoundError, whose cause repeats the first exception in its
            // message.
            return name() + ": " + cause.message();
        }
        return name();
    }

    private static String initialized(List<Frame> frames) {
        return frames.stream()
                .filter(frame -> frame.method().equals("<clinit>"))
                .findFirst()
                .map(frame -> " of " + frame.type() + " (" + frame.file() + ":" + frame.line() + ")")
                .orElse("");
    }

    /** One line of a stack trace. */
    public record Frame(
            String type, String method, @Nullable String file, int line) {}
}
