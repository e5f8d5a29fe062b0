package org.rankunit.collective.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What a task does.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum TaskKind {
    /** Copies bytes of one rank. */
    COPY(0),
    /** Reduces elements of one rank. */
    REDUCE(1),
    /** Writes to another rank. */
    PUT(2),
    /** Reads from another rank. */
    GET(3),
    /** Reduces elements of another rank with those of this one. */
    PUT_REDUCE(4),
    /** Reduces elements of this rank with those of another one. */
    GET_REDUCE(5),
    /** Sets a notify. */
    POST(6),
    /** Waits for a notify, and resets it. */
    WAIT(7);

    private static final TaskKind[] ALL = values();

    private final int number;

    TaskKind(int number) {
        this.number = number;
    }

    /** The number that the executor in C++ knows it by, from 0 without gaps. */
    public int number() {
        return number;
    }

    static TaskKind of(int number) {
        return ALL[number];
    }

    /** Whether the task moves data between two ranks. */
    public boolean isTransfer() {
        return this == PUT || this == GET || this == PUT_REDUCE || this == GET_REDUCE;
    }

    /** Whether the task moves data. */
    public boolean movesData() {
        return this != POST && this != WAIT;
    }

    /** Whether the task reads what it writes. */
    public boolean reduces() {
        return this == REDUCE || this == PUT_REDUCE || this == GET_REDUCE;
    }

    /** Whether the task writes to another rank. */
    public boolean writesThere() {
        return this == PUT || this == PUT_REDUCE;
    }

    /** Whether the task reads from another rank. */
    public boolean readsThere() {
        return this == GET || this == GET_REDUCE;
    }
}
