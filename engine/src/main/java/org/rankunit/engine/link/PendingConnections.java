package org.rankunit.engine.link;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.protocol.wire.Newcomers;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that have not identified themselves. A connection becomes a rank only by its first message, with the token of the group.
 * Not thread-safe.
 */
final class PendingConnections {

    /** How long one may take to say who it is. A rank says it at once, and tries again if it could not. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Selector selector;
    private final ServerSocketChannel server;
    private final ControlAddress address;
    private final String token;
    private final Newcomers<Channel> newcomers;
    private final RecordCodec codec = new RecordCodec();
    private final UserPrincipal self = Files.getOwner(Path.of("/proc/self"));

    /** What the key of a stranger's connection has attached. */
    record Stranger(Channel channel) {}

    /** A process that has presented itself as a rank, and is one. */
    record Arrival(FromRank.Hello hello, Channel channel) {}

    /**
     * No rank has connected yet.
     *
     * @param token proves that a rank belongs to this group
     * @param clock counts as {@link System#nanoTime()} does
     */
    PendingConnections(
            Selector selector, ServerSocketChannel server, ControlAddress address, String token, LongSupplier clock)
            throws IOException {
        this.selector = selector;
        this.server = server;
        this.address = address;
        this.token = token;
        this.newcomers = new Newcomers<>("a connection to the control channel", PATIENCE, clock);
    }

    /**
     * Accept a connection. The selector reports what it says, with a {@link Stranger} attached. All that has arrived from others
     * must have been heard before: if there are too many strangers, the oldest goes, and it may be a rank that has said so.
     */
    void accept() {
        try {
            SocketChannel socket = server.accept();
            if (socket != null) {
                welcome(socket);
            }
        } catch (IOException e) {
            log().warn("A rank could not connect", e);
        }
    }

    private void welcome(SocketChannel socket) throws IOException {
        boolean welcome = false;
        try {
            if (!isOfAnotherUser(socket)) {
                socket.configureBlocking(false);
                address.sendAtOnce(socket);
                Channel channel = Channel.withStranger(socket, codec);
                newcomers.add(channel, socket.getRemoteAddress());
                socket.register(selector, SelectionKey.OP_READ, new Stranger(channel));
                welcome = true;
            }
        } finally {
            if (!welcome) {
                socket.close();
            }
        }
    }

    /** Refuse those whose time is over. */
    void refuseLate() {
        newcomers.refuseLate();
    }

    /** When the time of a stranger is over if that is before the given time, which otherwise is returned. */
    long nextBefore(long deadlineNanos) {
        return newcomers.nextBefore(deadlineNanos);
    }

    /** How many strangers were refused, and from where; empty if none was. */
    Optional<String> describeRefused() {
        return newcomers.describeRefused();
    }

    /**
     * The folder's permissions keep other users out. If it is opened to them by mistake, the kernel still identifies the user
     * who connects.
     */
    private boolean isOfAnotherUser(SocketChannel socket) throws IOException {
        if (address.family() != StandardProtocolFamily.UNIX) {
            return false;
        }
        UserPrincipal user = socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (user.equals(self)) {
            return false;
        }
        log().warn("Refused a connection to the control channel: it comes from another user, {}", user);
        return true;
    }

    /**
     * Hear what a stranger says. One that is no rank of this group is refused.
     *
     * @return the rank; {@code null} if it is none, or has not said enough
     */
    @Nullable Arrival hear(Channel channel, List<RankLink> links) {
        try {
            int count = channel.fill();
            FromRank first = channel.next(FromRank.class);
            if (first == null && count >= 0) {
                return null;
            }
            Optional<String> refusal = HelloCheck.whyRefused(first, token, links);
            if (refusal.isEmpty() && first instanceof FromRank.Hello hello && newcomers.admit(channel)) {
                channel.trust();
                return new Arrival(hello, channel);
            }
            newcomers.refuse(channel, refusal.orElse("it did not identify itself"));
        } catch (IOException e) {
            newcomers.refuse(channel, String.valueOf(e.getMessage()));
        }
        return null;
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(PendingConnections.class);
    }
}
