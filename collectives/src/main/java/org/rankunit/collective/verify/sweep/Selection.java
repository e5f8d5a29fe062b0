package org.rankunit.collective.verify.sweep;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.call.Servers;

/**
 * The values of parameters that a sweep uses in place of its own. A parameter whose list is empty has those that the sweep chooses.
 *
 * @param counts elements, as at {@link org.rankunit.collective.call.CollectiveCall#count()}
 * @param roots ranks; those that a group does not have are left out there
 * @param ranksPerServer those larger than a group are left out there
 * @param servers of different size, for the group of as many ranks alone
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Selection(
        List<DType> types,
        List<Reduction> reductions,
        List<Long> counts,
        List<Integer> roots,
        List<Integer> ranksPerServer,
        List<Servers> servers) {

    /** Everything is chosen by the sweep. */
    public static final Selection ALL = new Selection(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

    /** @throws IllegalArgumentException if a count or root is negative, or there are no ranks on a server */
    public Selection {
        types = List.copyOf(types);
        reductions = List.copyOf(reductions);
        counts = List.copyOf(counts);
        roots = List.copyOf(roots);
        ranksPerServer = List.copyOf(ranksPerServer);
        servers = List.copyOf(servers);
        counts.forEach(count -> requireAtLeast(0, count, "count"));
        roots.forEach(root -> requireAtLeast(0, root, "root"));
        ranksPerServer.forEach(ranks -> requireAtLeast(1, ranks, "ranks per server"));
    }

    private static void requireAtLeast(long least, long given, String what) {
        if (given < least) {
            throw new IllegalArgumentException(what + " = " + given + ": expected at least " + least);
        }
    }

    public Selection withTypes(DType... chosen) {
        return new Selection(List.of(chosen), reductions, counts, roots, ranksPerServer, servers);
    }

    public Selection withReductions(Reduction... chosen) {
        return new Selection(types, List.of(chosen), counts, roots, ranksPerServer, servers);
    }

    public Selection withCounts(Long... chosen) {
        return new Selection(types, reductions, List.of(chosen), roots, ranksPerServer, servers);
    }

    public Selection withRoots(Integer... chosen) {
        return new Selection(types, reductions, counts, List.of(chosen), ranksPerServer, servers);
    }

    public Selection withRanksPerServer(Integer... chosen) {
        return new Selection(types, reductions, counts, roots, List.of(chosen), servers);
    }

    public Selection withServers(Servers... chosen) {
        return new Selection(types, reductions, counts, roots, ranksPerServer, List.of(chosen));
    }

    /** Returns the parameters that are not chosen by the sweep, as in " with roots [99]"; empty if all are. */
    String inWords() {
        Map<String, List<?>> given = new LinkedHashMap<>();
        given.put("types ", types);
        given.put("reductions ", reductions);
        given.put("counts ", counts);
        given.put("roots ", roots);
        given.put("ranks per server ", ranksPerServer);
        given.put("", servers);
        return given.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(each -> each.getKey() + each.getValue())
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), words -> words.isEmpty() ? "" : " with " + words));
    }
}
