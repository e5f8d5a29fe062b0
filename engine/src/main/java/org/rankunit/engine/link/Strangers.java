package org.rankunit.engine.link;

import java.io.IOException;
import java.net.InetSocketAddress;
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
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.wire.Channel;
import org.rankunit.engine.control.wire.ControlAddress;
import org.rankunit.engine.control.wire.RecordCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections that have not said who they are. A connection becomes a rank only by its first message, with the token of the group.
 * Not thread-safe.
 */
final class Strangers {

    /** Maximum number of them at the same time. */
    private static final int MOST = 64;

    /** How long one may say nothing if others wait for its place. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Selector selector;
    private final ServerSocketChannel server;
    private final ControlAddress address;
    private final String token;
    private final RecordCodec codec = new RecordCodec();
    private final UserPrincipal self = Files.getOwner(Path.of("/proc/self"));

    /** Warn only once, so that the log is not flooded either. */
    private boolean toldOfMany;

    /** @param since when it connected, as {@link System#nanoTime()} */
    record Stranger(Channel channel, long since) {}

    /** Somebody who has presented itself as a rank, and is one. */
    record Arrival(FromRank.Hello hello, Channel channel) {}

    /** @param token proves that a rank belongs to this group */
    Strangers(Selector selector, ServerSocketChannel server, ControlAddress address, String token) throws IOException {
        this.selector = selector;
        this.server = server;
        this.address = address;
        this.token = token;
    }

    /** Accept a connection. The selector reports what it says, with a {@link Stranger} attached. */
    void accept() {
        try {
            SocketChannel socket = server.accept();
            if (socket != null && (isOfAnotherUser(socket) || isOneTooMany())) {
                socket.close();
            } else if (socket != null) {
                socket.configureBlocking(false);
                address.sendAtOnce(socket);
                Stranger stranger = new Stranger(new Channel(socket, codec), System.nanoTime());
                socket.register(selector, SelectionKey.OP_READ, stranger);
            }
        } catch (IOException e) {
            log().warn("A rank could not connect", e);
        }
    }

    private boolean isOneTooMany() {
        if (count() >= MOST) {
            closeOld();
        }
        long strangers = count();
        if (strangers == MOST && !toldOfMany) {
            toldOfMany = true;
            log().warn("Refused a connection to the control channel: {} others have not said who they are", strangers);
        }
        return strangers >= MOST;
    }

    private long count() {
        return selector.keys().stream()
                .filter(key -> key.isValid() && key.attachment() instanceof Stranger)
                .count();
    }

    private void closeOld() {
        long now = System.nanoTime();
        for (SelectionKey key : List.copyOf(selector.keys())) {
            if (key.isValid()
                    && key.attachment() instanceof Stranger stranger
                    && now - stranger.since() > PATIENCE.toNanos()) {
                refuse(key, stranger, "it has said nothing for " + PATIENCE.toSeconds() + " s");
            }
        }
    }

    /**
     * The folder's permissions keep other users out. If somebody opens it to them by mistake, the kernel still identifies the user
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
    @Nullable Arrival hear(SelectionKey key, Stranger stranger, List<RankLink> links) {
        try {
            int count = stranger.channel().fill();
            FromRank first = stranger.channel().next(FromRank.class);
            if (first == null && count >= 0) {
                return null;
            }
            Optional<String> refusal = HelloCheck.whyRefused(first, token, links);
            if (refusal.isEmpty() && first instanceof FromRank.Hello hello) {
                return new Arrival(hello, stranger.channel());
            }
            refuse(key, stranger, refusal.orElse("it did not say hello"));
        } catch (IOException e) {
            refuse(key, stranger, String.valueOf(e.getMessage()));
        }
        return null;
    }

    private static void refuse(SelectionKey key, Stranger stranger, String why) {
        log().warn("Refused a connection to the control channel{}: {}", origin(stranger), why);
        key.cancel();
        try {
            stranger.channel().close();
        } catch (IOException e) {
            log().debug("Closing a connection failed", e);
        }
    }

    private static String origin(Stranger stranger) {
        try {
            return stranger.channel().socket().getRemoteAddress() instanceof InetSocketAddress remote
                    ? " from " + remote
                    : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(Strangers.class);
    }
}
