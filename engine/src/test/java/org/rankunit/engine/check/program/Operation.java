package org.rankunit.engine.check.program;

import java.util.List;
import org.rankunit.device.Comparison;

/**
 * The smallest step of a program: what it does to the state, as soon as other actors are far enough.
 *
 * @param kind what it does
 * @param object number of the buffer, cell or notify
 * @param parts the parts of a buffer, as bits
 * @param value a signal's value, or a wait's
 * @param after what must be done before
 * @param events what a log says of it
 */
record Operation(Kind kind, int object, int parts, Comparison comparison, int value, List<Point> after, Events events) {

    enum Kind {
        NOTHING,
        READ,
        WRITE,
        SET,
        ADD,
        WAIT,
        POST,
        TAKE
    }

    /** An actor that has done so many of its operations. */
    record Point(int actor, int done) {}

    /** Writes to the log what has happened. */
    interface Events {

        void write(RunLog log, int found);
    }
}
