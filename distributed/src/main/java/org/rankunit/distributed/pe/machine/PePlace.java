package org.rankunit.distributed.pe.machine;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Where a processing element is.
 *
 * @param column of its cube in the mesh of the SIP
 * @param row of its cube in the mesh of the SIP
 * @param pe its number in the cube
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record PePlace(int sip, int column, int row, int pe) {

    public boolean sameCube(PePlace other) {
        return sip == other.sip && column == other.column && row == other.row;
    }

    /** Links between neighbouring cubes to the cube of another PE of the same SIP: columns first, then rows. */
    int hops(PePlace other) {
        return Math.abs(column - other.column) + Math.abs(row - other.row);
    }

    /** Links between neighbouring cubes to the first cube of the SIP, where the links to other SIPs are. */
    int hopsToPort() {
        return column + row;
    }

    /** Returns {@code "PE 3 of cube (1, 0) of SIP 0"}. */
    @Override
    public String toString() {
        return "PE " + pe + " of cube (" + column + ", " + row + ") of SIP " + sip;
    }
}
