package org.rankunit.engine.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A throwable as data, since the class of the original may be unknown, or not serializable, where it is read.
 *
 * @param type name of the throwable's class
 * @param message its message, cut to {@link Limits#MESSAGE_CHARS}
 * @param assertion whether it is an {@link AssertionError}, which reports call a failure rather than an error
 * @param expected text of the expected value, of an assertion that has one
 * @param actual text of the actual value, of an assertion that has one
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

    /** Name the failure as {@link Throwable#toString} would. */
    public String headline() {
        return message == null ? type : type + ": " + message;
    }

    /** One line of a stack trace. */
    public record Frame(
            String type, String method, @Nullable String file, int line) {}
}
