package org.rankunit.collective.algorithms.composed;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * An algorithm for ranks in levels, of an algorithm for each level: level 0 is inside a server, level 1 between the servers of a group,
 * level 2 between groups, and so on. With two levels, all servers are one group. Between servers, ranks with the same place in theirs
 * communicate. Servers have as many ranks each, and groups as many servers.
 *
 * <ul>
 *   <li>An all-reduce is a reduce-scatter in each level but the outermost one, an all-reduce in that one, and an all-gather back.
 *   <li>A reduce-scatter and a broadcast begin in the outermost level, an all-gather and a reduce in level 0.
 * </ul>
 *
 * <p>Source: HCCL's algorithms of several levels.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Hierarchical implements CollectiveAlgorithm {

    private static final Map<Collective, Composition> COMPOSITIONS = new EnumMap<>(Map.of(
            Collective.ALL_REDUCE, new ComposedAllReduce(),
            Collective.REDUCE_SCATTER, new ComposedReduceScatter(),
            Collective.ALL_GATHER, new ComposedAllGather(),
            Collective.BROADCAST, new ComposedBroadcast(),
            Collective.REDUCE, new ComposedReduce()));

    private final Collective collective;
    private final List<Level> levels;
    private final Composition composition;

    private Hierarchical(Collective collective, List<Level> levels, Composition composition) {
        this.collective = collective;
        this.levels = levels;
        this.composition = composition;
    }

    /**
     * Compose an algorithm.
     *
     * @param levels at least two; all but the first and the last one have a size
     * @throws IllegalArgumentException if the collective has no levels, a level has no algorithm that it needs, or a size is missing or one
     *     too many; the message says which
     */
    public static Hierarchical of(Collective collective, List<Level> levels) {
        Composition composition = COMPOSITIONS.get(collective);
        if (composition == null) {
            throw new IllegalArgumentException(collective + " cannot be composed of levels; those that can are "
                    + COMPOSITIONS.keySet().stream().map(Collective::toString).collect(Collectors.joining(", ")));
        }
        if (levels.size() < 2) {
            throw new IllegalArgumentException("an algorithm of levels has two at least: " + levels);
        }
        int last = levels.size() - 1;
        for (int number = 0; number <= last; number++) {
            levels.get(number).check(number, last, composition.needed(number, last));
        }
        return new Hierarchical(collective, List.copyOf(levels), composition);
    }

    /**
     * Find an algorithm by its name: {@code HierarchicalAllReduce:mesh+ring}, or with groups of two servers {@code
     * HierarchicalAllReduce:mesh+2xring+NHR}. Empty if it is no such name.
     *
     * @throws IllegalArgumentException if it begins as such a name and what follows is not one of {@link Family#names()}, or as for {@link
     *     #of}
     */
    public static Optional<CollectiveAlgorithm> named(String name) {
        return COMPOSITIONS.keySet().stream()
                .filter(each -> name.startsWith(prefix(each)))
                .findFirst()
                .map(each -> of(each, Level.parse(name.substring(prefix(each).length()))));
    }

    private static String prefix(Collective collective) {
        StringBuilder text = new StringBuilder("Hierarchical");
        for (String word : collective.toString().split("-", -1)) {
            text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return text.append(':').toString();
    }

    @Override
    public String name() {
        return prefix(collective) + levels.stream().map(Level::toString).collect(Collectors.joining("+"));
    }

    @Override
    public Collective collective() {
        return collective;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        Optional<String> noGrid = Windows.needed(call).or(() -> whyNoGrid(call));
        if (noGrid.isPresent()) {
            return noGrid;
        }
        return IntStream.range(0, call.ranks())
                .mapToObj(rank -> stages(call, rank).unsupportedReason())
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> whyNoGrid(CollectiveCall call) {
        if (!call.servers().areEqual()) {
            return Optional.of("needs the same number of ranks on each server");
        }
        int servers = call.servers().count();
        int group = serversInGroup();
        return servers % group == 0 ? Optional.empty() : Optional.of("needs a multiple of " + group + " servers");
    }

    /** Servers, or groups of them, below the outermost level. */
    private int serversInGroup() {
        return levels.subList(1, levels.size() - 1).stream().map(Level::size).reduce(1, Math::multiplyExact);
    }

    private Grid grid(CollectiveCall call) {
        List<Integer> sizes = new ArrayList<>(List.of(call.servers().size(0)));
        levels.subList(1, levels.size() - 1).forEach(level -> sizes.add(level.size()));
        sizes.add(call.servers().count() / serversInGroup());
        return new Grid(sizes);
    }

    private Stages stages(CollectiveCall call, int rank) {
        return composition.stages(
                call, grid(call), (level, what) -> levels.get(level).family().require(what), rank);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return stages(call, rank).resources(rank);
    }

    @Override
    public void orchestrate(Orchestration rank) {
        stages(rank.call(), rank.rank()).orchestrate(rank);
    }
}
