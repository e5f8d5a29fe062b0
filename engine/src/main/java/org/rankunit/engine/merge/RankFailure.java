package org.rankunit.engine.merge;

import java.util.List;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.rankunit.engine.control.Failure;

/** Builds throwables from what ranks sent: they print like the originals, whose classes may not exist here. */
final class RankFailure {

    private RankFailure() {}

    /** A failure of one rank as a throwable. */
    static Throwable rebuilt(Failure failure) {
        return filled(new Remote(failure.name()), failure);
    }

    /** The failure of a test on one rank, with a message that says it all, and the stack of the rank. */
    static Throwable ofOneRank(String message, Failure first) {
        if (!first.assertion()) {
            return filled(new Failed(message), first);
        }
        AssertionFailedError error = first.expected() != null && first.actual() != null
                ? new Wrong(message, first.expected(), first.actual())
                : new Wrong(message);
        return filled(error, first);
    }

    /** A failure without a stack, since there was no Java code to have one: a crash, a time-out. */
    static Throwable withoutStack(String message) {
        Failed failed = new Failed(message);
        failed.setStackTrace(new StackTraceElement[0]);
        return failed;
    }

    /** The failure of a test on several ranks; IDEs show each of them. */
    static Throwable ofSeveralRanks(String message, Failure first, List<? extends Throwable> failures) {
        Throwable error = filled(new Several(message, failures), first);
        failures.forEach(error::addSuppressed);
        return error;
    }

    private static Throwable filled(Throwable target, Failure failure) {
        target.setStackTrace(failure.frames().stream()
                .map(f -> new StackTraceElement(f.type(), f.method(), f.file(), f.line()))
                .toArray(StackTraceElement[]::new));
        Failure cause = failure.cause();
        if (cause != null) {
            target.initCause(rebuilt(cause));
        }
        failure.suppressed().forEach(each -> target.addSuppressed(rebuilt(each)));
        return target;
    }

    /** Stands for a throwable of a rank, and prints as that one did. */
    private static final class Remote extends Throwable {

        private static final long serialVersionUID = 1L;

        Remote(String headline) {
            super(headline);
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
        public String toString() {
            return String.valueOf(getMessage());
        }
    }

    /** A test failed by an assertion on a rank. */
    private static final class Wrong extends AssertionFailedError {

        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }

        Wrong(String message, String expected, String actual) {
            super(message, expected, actual);
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
        public String toString() {
            return String.valueOf(getMessage());
        }
    }

    /** A test failed by anything else on a rank. */
    private static final class Failed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
        public String toString() {
            return String.valueOf(getMessage());
        }
    }

    /** A test failed on several ranks. */
    private static final class Several extends MultipleFailuresError {

        private static final long serialVersionUID = 1L;
        private final String text;

        Several(String text, List<? extends Throwable> failures) {
            super("several ranks failed", failures);
            this.text = text;
        }

        @Override
        public String getMessage() {
            return text;
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
        public String toString() {
            return text;
        }
    }
}
