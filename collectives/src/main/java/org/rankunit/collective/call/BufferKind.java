package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * The buffers of a rank that tasks use.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum BufferKind {
    /** The caller's input. Read only, unless it is in place. */
    INPUT(0),
    /** The caller's output. */
    OUTPUT(1),
    /** The first of the two buffers that belong to the communication domain and stay at their address: "CCL_In". */
    CCL_IN(2),
    /** The second one: "CCL_Out". */
    CCL_OUT(3),
    /** Memory of the algorithm, as large as its resources say. */
    SCRATCH(4);

    private final int number;

    BufferKind(int number) {
        this.number = number;
    }

    /** A number of its own, from 0 without gaps. */
    public int number() {
        return number;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
