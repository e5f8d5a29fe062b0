package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks are on one server: consecutive ones. Servers may have different numbers of ranks.
 *
 * <p>Immutable.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Servers {

    /** Ranks on each server but the last one, which may have fewer; 0 if servers have numbers of their own. */
    private final int each;

    /** The first rank of each server that has a number of its own, and the number of ranks; empty if there are none. */
    private final int[] firsts;

    private final int ranks;

    private Servers(int ranks, int each, int... firsts) {
        this.ranks = ranks;
        this.each = each;
        this.firsts = firsts;
    }

    /**
     * Divide ranks among servers.
     *
     * @param ranksPerServer the last server has what is left
     * @throws IllegalArgumentException if one of them is less than 1
     */
    public static Servers of(int ranks, int ranksPerServer) {
        require(ranks >= 1, "ranks = " + ranks + ": a collective has at least one rank");
        require(ranksPerServer >= 1, "ranksPerServer = " + ranksPerServer + ": a server has at least one rank");
        return new Servers(ranks, ranksPerServer);
    }

    /** All ranks on one server. */
    public static Servers one(int ranks) {
        return of(ranks, ranks);
    }

    /**
     * Make servers of different size.
     *
     * @param sizes ranks on each of them
     * @throws IllegalArgumentException if there are none, or one has less than 1 rank
     */
    public static Servers ofSizes(List<Integer> sizes) {
        require(!sizes.isEmpty(), "servers: there is at least one");
        require(
                sizes.stream().allMatch(size -> size >= 1),
                "servers of " + sizes + " ranks: a server has at least one rank");
        int[] firsts = new int[sizes.size() + 1];
        for (int server = 0; server < sizes.size(); server++) {
            firsts[server + 1] = Math.addExact(firsts[server], sizes.get(server));
        }
        int largest = sizes.get(0);
        boolean regular = sizes.subList(0, sizes.size() - 1).stream().allMatch(size -> size == largest)
                && sizes.get(sizes.size() - 1) <= largest;
        return regular ? new Servers(firsts[sizes.size()], largest) : new Servers(firsts[sizes.size()], 0, firsts);
    }

    /**
     * Read {@code "4"}, which is the number of ranks on each server, or {@code "3+1+2"}, the numbers of ranks on servers of different size.
     *
     * @throws IllegalArgumentException if it is neither, or there are not as many ranks; the message begins with the text
     */
    public static Servers parse(String text, int ranks) {
        List<Integer> sizes = sizes(text);
        if (sizes.size() == 1) {
            return of(ranks, sizes.get(0));
        }
        Servers servers = ofSizes(sizes);
        require(servers.ranks == ranks, text + ": these are " + servers.ranks + " ranks, and there are " + ranks);
        return servers;
    }

    /**
     * Read {@code "3+1+2"}, the numbers of ranks on servers.
     *
     * @throws IllegalArgumentException if it is something else; the message begins with the text
     */
    public static Servers parse(String text) {
        return ofSizes(sizes(text));
    }

    private static List<Integer> sizes(String text) {
        require(
                text.matches("[0-9]{1,7}(\\+[0-9]{1,7}){0,99}"),
                "\"" + text
                        + "\": expected ranks on each server, as in 4, or on servers of different size, as in 3+1+2");
        List<Integer> sizes =
                Arrays.stream(text.split("\\+", -1)).map(Integer::valueOf).toList();
        require(sizes.stream().allMatch(size -> size >= 1), text + ": a server has at least one rank");
        return sizes;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Ranks on all servers. */
    public int ranks() {
        return ranks;
    }

    /** How many servers there are. */
    public int count() {
        return each > 0 ? (ranks - 1) / each + 1 : firsts.length - 1;
    }

    /** The server of a rank. */
    public int of(int rank) {
        if (each > 0) {
            return rank / each;
        }
        int found = Arrays.binarySearch(firsts, rank);
        return found >= 0 ? found : -found - 2;
    }

    /** The first rank of a server. */
    public int first(int server) {
        return each > 0 ? server * each : firsts[server];
    }

    /** Ranks on a server. */
    public int size(int server) {
        return each > 0 ? Math.min(each, ranks - server * each) : firsts[server + 1] - firsts[server];
    }

    /** Ranks on each server. */
    public List<Integer> sizes() {
        return IntStream.range(0, count()).mapToObj(this::size).toList();
    }

    /** Whether all have the same number of ranks. */
    public boolean areEqual() {
        return each > 0 && (each >= ranks || ranks % each == 0);
    }

    /**
     * Divide other ranks in the same way: all on one server, or as many on each server.
     *
     * @throws IllegalArgumentException if servers have different sizes and there are not as many ranks
     */
    public Servers withRanks(int newRanks) {
        if (each == 0) {
            require(newRanks == ranks, "servers of " + ranks + " ranks: the call has " + newRanks);
            return this;
        }
        return of(newRanks, each == ranks ? newRanks : each);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Servers that
                && ranks == that.ranks
                && count() == that.count()
                && IntStream.range(0, count()).allMatch(server -> size(server) == that.size(server));
    }

    @Override
    public int hashCode() {
        return 31 * ranks + count();
    }

    /** Returns {@code "one server"}, {@code "4 ranks on each server"}, or {@code "servers of 3, 1 and 2 ranks"}. */
    @Override
    public String toString() {
        if (count() == 1) {
            return "one server";
        }
        if (areEqual()) {
            return each + (each == 1 ? " rank" : " ranks") + " on each server";
        }
        List<String> sizes = sizes().stream().map(String::valueOf).toList();
        String before = sizes.subList(0, sizes.size() - 1).stream().collect(Collectors.joining(", "));
        return "servers of " + before + " and " + sizes.get(sizes.size() - 1) + " ranks";
    }
}
