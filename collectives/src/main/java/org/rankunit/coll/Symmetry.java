package org.rankunit.coll;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How the ranks of an algorithm can be exchanged for each other without a change of its tasks. What is declared is checked before
 * it is used.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Symmetry {
    NONE,
    /** Rank r does what rank 0 does, with every rank and every part of the data r further, modulo n. */
    CYCLIC
}
