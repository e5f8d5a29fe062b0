package org.rankunit.distributed.pe.machine;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What a machine consists of: packages (SIPs), each with a mesh of cubes, each of those with processing elements (PEs) at its corners.
 *
 * @param cubesWide of the mesh of a SIP
 * @param cubesHigh of the mesh of a SIP
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record MachineShape(int sips, int cubesWide, int cubesHigh, int pesPerCorner, int corners) {

    public MachineShape {
        if (sips < 1 || cubesWide < 1 || cubesHigh < 1 || pesPerCorner < 1 || corners < 1) {
            throw new IllegalArgumentException("every size of a machine is at least 1: " + sips + " SIPs of "
                    + cubesWide + " x " + cubesHigh + " cubes of " + pesPerCorner + " x " + corners + " PEs");
        }
    }

    public int cubesPerSip() {
        return Math.multiplyExact(cubesWide, cubesHigh);
    }

    public int pesPerCube() {
        return Math.multiplyExact(pesPerCorner, corners);
    }

    public int pesPerSip() {
        return Math.multiplyExact(cubesPerSip(), pesPerCube());
    }

    /** All processing elements. */
    public int pes() {
        return Math.multiplyExact(sips, pesPerSip());
    }

    /**
     * Get the place of a processing element. They are counted SIP by SIP, in a SIP column of cubes by column, in a cube corner by
     * corner.
     *
     * @param number in [0, {@link #pes()})
     */
    public PePlace place(int number) {
        if (number < 0 || number >= pes()) {
            throw new IllegalArgumentException("there is no PE " + number + " among " + pes());
        }
        int cube = number % pesPerSip() / pesPerCube();
        return new PePlace(number / pesPerSip(), cube / cubesHigh, cube % cubesHigh, number % pesPerCube());
    }

    @Override
    public String toString() {
        return (sips == 1 ? "1 SIP" : sips + " SIPs") + " of " + cubesWide + " x " + cubesHigh + " cubes of "
                + pesPerCube() + (pesPerCube() == 1 ? " PE" : " PEs");
    }
}
