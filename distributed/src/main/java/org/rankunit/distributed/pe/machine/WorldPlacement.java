package org.rankunit.distributed.pe.machine;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Which processing elements (PEs) take part, and which part of the columns of a tensor each of them has.
 *
 * @param places of those that take part, by rank
 * @param parts into how many parts columns are divided
 * @param partOf the part that each rank has
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record WorldPlacement(List<PePlace> places, int parts, List<Integer> partOf) {

    /**
     * How the members of one level of a machine share columns.
     *
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public enum Spread {
        /** Each has its own columns, all of them as many. */
        COLUMN_WISE,
        /** Each has all columns. */
        REPLICATED;

        private int parts(int members) {
            return this == COLUMN_WISE ? members : 1;
        }
    }

    public WorldPlacement {
        places = List.copyOf(places);
        partOf = List.copyOf(partOf);
        if (places.isEmpty() || partOf.size() != places.size()) {
            throw new IllegalArgumentException(
                    "each of " + places.size() + " PEs has a part, and there is at least one: " + partOf);
        }
    }

    /**
     * Place a world: all processing elements; or some of one cube; or whole cubes of one SIP; or as many whole cubes of each of several
     * SIPs. Each has its own columns.
     *
     * @throws IllegalArgumentException if the world is larger than the machine, or does not fill whole cubes where it needs several;
     *     the message has the sizes that are possible next to it
     */
    public static WorldPlacement of(MachineShape shape, int worldSize) {
        if (worldSize < 1 || worldSize > shape.pes()) {
            throw new IllegalArgumentException(
                    "a world of " + worldSize + " PEs is not on a machine of " + shape + ", which has " + shape.pes());
        }
        int perCube = shape.pesPerCube();
        if (worldSize <= perCube) {
            return grid(shape, 1, 1, worldSize);
        }
        if (worldSize % perCube != 0) {
            int below = worldSize / perCube * perCube;
            throw new IllegalArgumentException("a world of " + worldSize + " PEs does not fill whole cubes of "
                    + perCube + " PEs; " + below + " or " + (below + perCube) + " would");
        }
        int cubes = worldSize / perCube;
        int sips = (cubes + shape.cubesPerSip() - 1) / shape.cubesPerSip();
        if (cubes % sips != 0) {
            throw new IllegalArgumentException("a world of " + worldSize + " PEs has " + cubes + " cubes, which " + sips
                    + " SIPs cannot share equally");
        }
        return grid(shape, sips, cubes / sips, perCube);
    }

    private static WorldPlacement grid(MachineShape shape, int sips, int cubes, int pes) {
        return grid(shape, sips, cubes, pes, Spread.COLUMN_WISE, Spread.COLUMN_WISE, Spread.COLUMN_WISE);
    }

    /**
     * Take the first members of each level, and say for each level how they share columns.
     *
     * @param sips that take part
     * @param cubes that take part in each of these SIPs
     * @param pes that take part in each of these cubes
     */
    public static WorldPlacement grid(
            MachineShape shape, int sips, int cubes, int pes, Spread overSips, Spread overCubes, Spread overPes) {
        if (sips < 1
                || sips > shape.sips()
                || cubes < 1
                || cubes > shape.cubesPerSip()
                || pes < 1
                || pes > shape.pesPerCube()) {
            throw new IllegalArgumentException(
                    sips + " SIPs of " + cubes + " cubes of " + pes + " PEs are not on a machine of " + shape);
        }
        int cubeParts = overCubes.parts(cubes);
        int peParts = overPes.parts(pes);
        List<PePlace> places = new ArrayList<>();
        List<Integer> partOf = new ArrayList<>();
        for (int rank = 0; rank < sips * cubes * pes; rank++) {
            int sip = rank / (cubes * pes);
            int cube = rank / pes % cubes;
            int pe = rank % pes;
            places.add(shape.place((sip * shape.pesPerSip()) + (cube * shape.pesPerCube()) + pe));
            int sipPart = overSips == Spread.COLUMN_WISE ? sip : 0;
            int cubePart = overCubes == Spread.COLUMN_WISE ? cube : 0;
            int pePart = overPes == Spread.COLUMN_WISE ? pe : 0;
            partOf.add((((sipPart * cubeParts) + cubePart) * peParts) + pePart);
        }
        return new WorldPlacement(places, overSips.parts(sips) * cubeParts * peParts, partOf);
    }

    /**
     * Take some of the processing elements, each with its own columns.
     *
     * @param members ranks, in the order of their new ranks
     */
    public WorldPlacement subset(List<Integer> members) {
        if (members.isEmpty() || new HashSet<>(members).size() != members.size()) {
            throw new IllegalArgumentException("members are different ranks, at least one: " + members);
        }
        List<PePlace> chosen = new ArrayList<>();
        List<Integer> partOfChosen = new ArrayList<>();
        for (int member : members) {
            if (member < 0 || member >= worldSize()) {
                throw new IllegalArgumentException("there is no rank " + member + " in a world of " + worldSize());
            }
            partOfChosen.add(chosen.size());
            chosen.add(place(member));
        }
        return new WorldPlacement(chosen, chosen.size(), partOfChosen);
    }

    /** How many processing elements take part: the size of the world. */
    public int worldSize() {
        return places.size();
    }

    public PePlace place(int rank) {
        return places.get(rank);
    }

    /** Which of the parts of the columns a rank has. */
    public int part(int rank) {
        return partOf.get(rank);
    }
}
