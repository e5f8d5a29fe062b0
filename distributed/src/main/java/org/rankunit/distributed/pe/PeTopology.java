package org.rankunit.distributed.pe;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Who is whose neighbour.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum PeTopology {
    /** The next rank is to the east, the one before to the west; the last one is followed by the first. */
    RING_1D,
    /** Rows of ranks, as square as the number allows; without links from one edge to the other. */
    MESH_2D,
    /** Rank r has the parent (r - 1) / 2 to the north, and the children 2r + 1 to the west and 2r + 2 to the east. */
    TREE_BINARY;

    /** Get the neighbours of a rank. */
    public Map<Direction, Integer> neighbours(int rank, int worldSize) {
        Map<Direction, Integer> neighbours = new EnumMap<>(Direction.class);
        switch (this) {
            case RING_1D -> {
                if (worldSize > 1) {
                    neighbours.put(Direction.E, (rank + 1) % worldSize);
                    neighbours.put(Direction.W, (rank + worldSize - 1) % worldSize);
                }
            }
            case MESH_2D -> {
                int width = meshWidth(worldSize);
                putIf(neighbours, Direction.W, rank - 1, rank % width > 0);
                putIf(neighbours, Direction.E, rank + 1, rank % width < width - 1);
                putIf(neighbours, Direction.N, rank - width, rank >= width);
                putIf(neighbours, Direction.S, rank + width, rank + width < worldSize);
            }
            case TREE_BINARY -> {
                putIf(neighbours, Direction.N, (rank - 1) / 2, rank > 0);
                putIf(neighbours, Direction.W, (2 * rank) + 1, (2 * rank) + 1 < worldSize);
                putIf(neighbours, Direction.E, (2 * rank) + 2, (2 * rank) + 2 < worldSize);
            }
        }
        return neighbours;
    }

    private static void putIf(Map<Direction, Integer> neighbours, Direction direction, int peer, boolean there) {
        if (there) {
            neighbours.put(direction, peer);
        }
    }

    /** Columns of a mesh of so many ranks: of the divisors, the smallest one that is at least as large as the number of rows. */
    public static int meshWidth(int worldSize) {
        int height = (int) Math.sqrt(worldSize);
        while (worldSize % height != 0) {
            height--;
        }
        return worldSize / height;
    }

    /** The name in files: {@code ring_1d}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
