package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** For which calls algorithms whose ranks all do the same are symmetric. */
@API(status = INTERNAL, since = "0.1")
public final class Shifted {

    private Shifted() {}

    /** The symmetry of an algorithm in which each rank counts others, and parts of the data, from its own on. */
    public static Symmetry cyclic(CollectiveCall call) {
        return hasEqualParts(call) ? Symmetry.CYCLIC : Symmetry.NONE;
    }

    /** The symmetry of an algorithm in which ranks and parts differ by bits of their numbers, if there is a power of two of them. */
    public static Symmetry xor(CollectiveCall call) {
        return hasEqualParts(call) && Integer.bitCount(call.ranks()) == 1 ? Symmetry.XOR : Symmetry.NONE;
    }

    /** Whether all ranks have as many elements, and links of the same kind. */
    private static boolean hasEqualParts(CollectiveCall call) {
        boolean sameLinks = call.servers().count() == 1 || call.servers().count() == call.ranks();
        boolean divides = call.collective() != Collective.ALL_REDUCE || call.count() % call.ranks() == 0;
        return call.counts().isEmpty() && sameLinks && divides;
    }
}
