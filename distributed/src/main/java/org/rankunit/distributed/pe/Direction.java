package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The four queue pairs of a processing element.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Direction {
    N,
    E,
    S,
    W;

    /** The other end of a straight line: north and south, east and west. */
    public Direction opposite() {
        return switch (this) {
            case N -> S;
            case E -> W;
            case S -> N;
            case W -> E;
        };
    }
}
