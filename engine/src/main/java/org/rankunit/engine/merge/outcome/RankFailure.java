package org.rankunit.engine.merge.outcome;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.rankunit.engine.discovery.XmlText;
import org.rankunit.engine.protocol.Failure;

/**
 * Builds throwables from what ranks sent. They print like the originals, whose classes may not exist here: the class of the cause comes
 * first, where build tools look for it. An assertion stays an assertion, which reports count as a failure; anything else is counted as an
 * error. This holds for any number of ranks. All texts are {@linkplain XmlText safe for reports}.
 */
public final class RankFailure {

    private RankFailure() {}

    /** A failure of one rank as a throwable. */
    static Throwable rebuilt(Failure failure) {
        return filled(new Remote(XmlText.of(failure.name())), failure);
    }

    /** The failure of a test on one rank, with the complete message and the stack of the rank. */
    static Throwable ofOneRank(String message, Failure first) {
        String shown = XmlText.of(message);
        if (!first.assertion()) {
            return filled(new RankFailedException(shown, XmlText.of(first.type())), first);
        }
        String expected = XmlText.ofNullable(first.expected());
        String actual = XmlText.ofNullable(first.actual());
        String type = XmlText.of(first.type());
        return filled(
                expected != null && actual != null ? new Wrong(shown, type, expected, actual) : new Wrong(shown, type),
                first);
    }

    /** A failure without a stack, since no Java code threw it: a crash or a timeout. */
    public static Throwable withoutStack(String message) {
        RankFailedException failed = new RankFailedException(XmlText.of(message));
        failed.setStackTrace(new StackTraceElement[0]);
        return failed;
    }

    /**
     * The failure of a test on several ranks; IDEs show each of the failures.
     *
     * @param first the first failure, whose class and stack the result shows; {@code null} if it was not a throwable
     */
    static Throwable ofSeveralRanks(String message, @Nullable Failure first, List<? extends Throwable> failures) {
        if (first == null) {
            return with(failures, withoutStack(message));
        }
        String type = XmlText.of(first.type());
        Throwable error = first.assertion()
                ? new Several(XmlText.of(message), type, failures)
                : new RankFailedException(XmlText.of(message), type);
        error.setStackTrace(stackOf(first));
        return with(failures, error);
    }

    /** The failures of one container for several numbers of ranks, with the class and stack of the first. */
    public static Throwable ofSeveralVariants(List<? extends Throwable> failures) {
        Throwable first = failures.get(0);
        String message = failures.stream()
                .map(Throwable::getMessage)
                .collect(Collectors.joining("\n", "failed with several numbers of ranks:\n", ""));
        String type = first.toString().substring(0, first.toString().indexOf(':'));
        Throwable error = first instanceof AssertionError
                ? new Several(message, type, failures)
                : new RankFailedException(message, type);
        error.setStackTrace(first.getStackTrace());
        return with(failures, error);
    }

    private static Throwable with(List<? extends Throwable> suppressed, Throwable target) {
        suppressed.forEach(target::addSuppressed);
        return target;
    }

    private static Throwable filled(Throwable target, Failure failure) {
        target.setStackTrace(stackOf(failure));
        Failure cause = failure.cause();
        if (cause != null) {
            target.initCause(rebuilt(cause));
        }
        failure.suppressed().forEach(each -> target.addSuppressed(rebuilt(each)));
        return target;
    }

    private static StackTraceElement[] stackOf(Failure failure) {
        return failure.frames().stream()
                .map(f -> new StackTraceElement(
                        XmlText.of(f.type()), XmlText.of(f.method()), XmlText.ofNullable(f.file()), f.line()))
                .toArray(StackTraceElement[]::new);
    }

    /** Represents a throwable of a rank, and prints like it. */
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

    /** A test failed because of an assertion on a rank. */
    private static final class Wrong extends AssertionFailedError {

        private static final long serialVersionUID = 1L;

        private final String type;

        Wrong(String message, String type) {
            super(message);
            this.type = type;
        }

        Wrong(String message, String type, String expected, String actual) {
            super(message, expected, actual);
            this.type = type;
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
        public String toString() {
            return type + ": " + getMessage();
        }
    }

    /** A test failed because of assertions on several ranks. */
    private static final class Several extends MultipleFailuresError {

        private static final long serialVersionUID = 1L;
        private final String text;
        private final String type;

        Several(String text, String type, List<? extends Throwable> failures) {
            super("several failures", failures);
            this.text = text;
            this.type = type;
        }

        @Override
        public String getMessage() {
            return text;
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString") // Prints as the rank's own throwable would, without this class.
        public String toString() {
            return type + ": " + text;
        }
    }
}
