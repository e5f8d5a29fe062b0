package org.rankunit.engine.protocol.wire;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that were accepted and have not identified themselves. Each waits here until its reader admits it, which then owns
 * it, or until it is refused and closed: for what it says, because its time is over, or because newer ones need its place. Those
 * that were refused are counted. Thread-safe.
 *
 * @param <C> a connection
 */
public final class Newcomers<C extends AutoCloseable> {

    /** Maximum number that wait at the same time. If more come, the oldest goes: the newest may be a rank. */
    public static final int MAX = 64;

    /** Maximum number of one address that wait at the same time. */
    public static final int MAX_OF_ADDRESS = 32;

    /** How many that were refused are logged, so that the log is not flooded either. */
    private static final int MAX_TOLD = 20;

    /** How many addresses are counted by name. */
    private static final int MAX_NAMED = 8;

    /** In place of an address, for a socket of the file system. Those are of this user alone, and all ranks have the same. */
    private static final String HERE = "this machine";

    private final String what;
    private final Duration patience;
    private final LongSupplier clock;

    /** In the order in which they came. */
    private final Map<C, Newcomer> waiting = new LinkedHashMap<>();

    /** How many were refused, by address. */
    private final Map<String, Integer> refused = new LinkedHashMap<>();

    private int refusedElsewhere;
    private int told;
    private @Nullable String lastReason;

    /** @param since when it came, as the clock counts */
    private record Newcomer(String host, String origin, long since) {}

    /**
     * Make room for connections.
     *
     * @param what for the log: {@code a connection to the control channel}
     * @param patience how long a connection may take to say who it is, however often it says something
     * @param clock counts as {@link System#nanoTime()} does
     */
    public Newcomers(String what, Duration patience, LongSupplier clock) {
        this.what = what;
        this.patience = patience;
        this.clock = clock;
    }

    /** A connection was accepted. If that is one too many, the oldest is refused. */
    public synchronized void add(C connection, @Nullable SocketAddress address) {
        String host = address instanceof InetSocketAddress remote && remote.getAddress() != null
                ? remote.getAddress().getHostAddress()
                : HERE;
        String origin = address instanceof InetSocketAddress ? " from " + address : "";
        List<C> ofHost = waiting.entrySet().stream()
                .filter(each -> each.getValue().host().equals(host))
                .map(Map.Entry::getKey)
                .toList();
        if (!host.equals(HERE) && ofHost.size() >= MAX_OF_ADDRESS) {
            refuse(ofHost.get(0), oldestOf(ofHost.size() + " of its address"));
        } else if (waiting.size() >= MAX) {
            refuse(waiting.keySet().iterator().next(), oldestOf(String.valueOf(MAX)));
        }
        waiting.put(connection, new Newcomer(host, origin, clock.getAsLong()));
    }

    private static String oldestOf(String which) {
        return "it is the oldest of " + which + " that have not identified themselves";
    }

    /**
     * A process has identified itself and owns its connection from now on.
     *
     * @return false if the connection was refused before
     */
    public synchronized boolean admit(C connection) {
        return waiting.remove(connection) != null;
    }

    /** Close a connection of an unknown process; nothing happens if it does not wait here any more. */
    public synchronized void refuse(C connection, String why) {
        Newcomer newcomer = waiting.remove(connection);
        if (newcomer == null) {
            return;
        }
        lastReason = why.lines().findFirst().orElse(why);
        if (refused.containsKey(newcomer.host()) || refused.size() < MAX_NAMED) {
            refused.merge(newcomer.host(), 1, Integer::sum);
        } else {
            refusedElsewhere++;
        }
        if (told < MAX_TOLD) {
            told++;
            log().warn(
                            "Refused {}{}: {}{}",
                            what,
                            newcomer.origin(),
                            why,
                            told == MAX_TOLD ? ". More of them are not logged." : "");
        }
        try {
            connection.close();
        } catch (Exception e) {
            log().debug("Closing a connection failed", e);
        }
    }

    /** Refuse all whose time is over. */
    public synchronized void refuseLate() {
        long now = clock.getAsLong();
        List<C> late = waiting.entrySet().stream()
                .filter(each -> now - each.getValue().since() >= patience.toNanos())
                .map(Map.Entry::getKey)
                .toList();
        late.forEach(each -> refuse(each, "it did not identify itself within " + patience.toSeconds() + " s"));
    }

    /** When the time of the oldest is over if that is before the given time, which otherwise is returned. */
    public synchronized long nextBefore(long deadlineNanos) {
        if (waiting.isEmpty()) {
            return deadlineNanos;
        }
        long due = waiting.values().iterator().next().since() + patience.toNanos();
        return due - deadlineNanos < 0 ? due : deadlineNanos;
    }

    /** How many were refused, from where, and why the last one was; empty if none was. */
    public synchronized Optional<String> describeRefused() {
        if (refused.isEmpty()) {
            return Optional.empty();
        }
        int all = refusedElsewhere
                + refused.values().stream().mapToInt(Integer::intValue).sum();
        String origins = refused.entrySet().stream()
                .map(each -> each.getValue() + " from " + each.getKey())
                .collect(Collectors.joining(", "));
        String others = refusedElsewhere == 0 ? "" : ", " + refusedElsewhere + " from other addresses";
        return Optional.of((all == 1 ? "1 unidentified connection was" : all + " unidentified connections were")
                + " refused (" + origins + others + "), the last because " + lastReason);
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(Newcomers.class);
    }
}
