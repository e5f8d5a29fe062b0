package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Thrown when a text is no GOAL program. The message says where, what is there, and what was expected.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class GoalFormatException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    GoalFormatException(String source, int line, int column, String what, String expected) {
        super((source.isEmpty() ? "" : source + ", ") + "line " + line + ", column " + column + ": " + what
                + "; expected " + expected);
        this.line = line;
        this.column = column;
    }

    /** The line, from 1. */
    public int line() {
        return line;
    }

    /** The column, from 1. */
    public int column() {
        return column;
    }
}
