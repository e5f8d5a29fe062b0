package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/**
 * Report an output that does not match its {@link Golden}.
 *
 * <p>The message shows how many elements differ and where, the first and the worst of them, the pattern in them if there
 * is one, and the tolerance. {@link #getExpected()} and {@link #getActual()} return text for the diff view of an IDE: one
 * line for each of the first differing elements, at most 100.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class GoldenMismatchError extends AssertionFailedError {

    private static final long serialVersionUID = 1L;

    private final GoldenSummary summary;

    GoldenMismatchError(GoldenSummary summary, String message, String expected, String actual) {
        super(message, expected, actual);
        this.summary = summary;
    }

    /** Get the summary of the comparison. */
    public GoldenSummary summary() {
        return summary;
    }
}
