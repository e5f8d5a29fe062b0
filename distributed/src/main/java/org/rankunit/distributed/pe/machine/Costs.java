package org.rankunit.distributed.pe.machine;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.distributed.pe.MemorySpace;

/**
 * What time things take on a machine, in nanoseconds.
 *
 * @param pe between processing elements of a cube
 * @param cube from a cube to the next one
 * @param sip from a SIP to another
 * @param issue what every operation of a kernel costs
 * @param elements that arithmetic makes in a nanosecond
 * @param poll time between two looks at a full queue
 * @param wake of a processing element that slept at a full queue
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Costs(
        Speed tcm,
        Speed hbm,
        Speed sram,
        Speed pe,
        Speed cube,
        Speed sip,
        double issue,
        double elements,
        double poll,
        double wake) {

    public Costs {
        if (!(issue >= 0) || !(elements > 0) || !(poll > 0) || !(wake >= 0)) {
            throw new IllegalArgumentException("issue and wake are at least 0 ns, elements and poll above 0: " + issue
                    + ", " + wake + ", " + elements + ", " + poll);
        }
    }

    /** What a machine costs whose file does not say: round numbers of no real machine. */
    public static Costs assumed() {
        return new Costs(
                new Speed(2, 512),
                new Speed(100, 64),
                new Speed(20, 256),
                new Speed(10, 64),
                new Speed(20, 64),
                new Speed(500, 32),
                1,
                64,
                50,
                20);
    }

    public Speed of(MemorySpace space) {
        return switch (space) {
            case TCM -> tcm;
            case HBM -> hbm;
            case SRAM -> sram;
        };
    }

    /**
     * Get the way from one processing element to another: inside a cube one link; inside a SIP one more for each cube on the way;
     * to another SIP by the first cube of both. The bandwidth is the lowest one on the way.
     */
    public Speed path(PePlace from, PePlace to) {
        if (from.sip() != to.sip()) {
            return pe.then(cube, from.hopsToPort() + to.hopsToPort()).then(sip, 1);
        }
        return pe.then(cube, from.hops(to));
    }
}
