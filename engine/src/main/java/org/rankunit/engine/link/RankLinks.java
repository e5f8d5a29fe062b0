package org.rankunit.engine.link;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to all ranks of a group on one thread: to their messages and to their end.
 *
 * <p>Only one thread at a time may use it, since the thread that waits here changes all state of a group.
 */
public final class RankLinks implements AutoCloseable {

    /** How long the end of a process may become known after that of its channel if the machine is overloaded. */
    public static final Duration EXIT_GRACE = Duration.ofSeconds(2);

    /** How often to look after a deadline for what has arrived: strangers that come all the time must not put it off. */
    private static final int MAX_LATE_LOOKS = 4096;

    private final Selector selector;
    private final ServerSocketChannel server;
    private final PendingConnections strangers;
    private final List<RankLink> links = new CopyOnWriteArrayList<>();
    private final Queue<RankLink> ended = new ConcurrentLinkedQueue<>();
    private final Deque<RankSignal> pending = new ArrayDeque<>();

    /** Ranks whose node does not answer, with a clause that says so. */
    private final Queue<Map.Entry<RankLink, String>> unreachable = new ConcurrentLinkedQueue<>();

    /** {@code null} if all ranks run on this machine, which sees their end. */
    private final @Nullable Silence silence;

    private final SignsOfLife signs = new SignsOfLife(links);
    private final ControlAddress address;

    /** Whether a connection is waiting. */
    private boolean hasCaller;

    /** Ranks whose channel has ended but whose process is not known to have ended. */
    private final Map<RankLink, HangUp> hungUp = new LinkedHashMap<>();

    /** Why a channel ended, and until when to wait for the end of its process, as {@link System#nanoTime()}. */
    private record HangUp(String why, long deadline) {}

    /** Listen for ranks on this machine. */
    public RankLinks(Path control, String token) throws IOException {
        this(new ControlAddress.OfFile(control), token, Optional.empty());
    }

    /**
     * Listen for ranks.
     *
     * @param silence how long a rank may be silent before its node is asked; empty if all run on this machine
     */
    public RankLinks(ControlAddress control, String token, Optional<Duration> silence) throws IOException {
        this(control, token, silence, System::nanoTime);
    }

    /** @param clock for strangers; counts as {@link System#nanoTime()} does */
    RankLinks(ControlAddress control, String token, Optional<Duration> silence, LongSupplier clock) throws IOException {
        this.selector = Selector.open();
        this.server = control.listen();
        this.address = control.reachedAt(server);
        this.strangers = new PendingConnections(selector, server, address, token, clock);
        this.silence = silence.map(Silence::new).orElse(null);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        if (silence.isPresent()) {
            signs.start();
        }
    }

    /** Where ranks connect. */
    public ControlAddress address() {
        return address;
    }

    /** Start listening to a started rank. */
    public void add(RankLink link) {
        links.add(link);
        link.process().onExit(() -> {
            ended.add(link);
            selector.wakeup();
        });
    }

    public List<RankLink> all() {
        return links;
    }

    /** How many unidentified connections were refused, and from where; empty if none was. */
    public Optional<String> refusedStrangers() {
        return strangers.describeRefused();
    }

    /** Send to one rank. If it cannot be reached, a later signal reports it as gone or lost. */
    public void send(RankLink link, ToRank message) {
        Channel channel = link.channel();
        if (channel == null || link.gone()) {
            return;
        }
        try {
            channel.send((Record) message, ToRank.class);
        } catch (IOException e) {
            // What it sent before it hung up is more informative, and after that the way in which its process ended.
            hearTheRest(link, channel);
            hangUp(link, "cannot be written to on its control channel: " + e.getMessage());
        }
    }

    /**
     * Wait for the next signal; {@code null} if the deadline passes first. Signals that have already arrived are returned even
     * after the deadline: this process may not have run for a while, and the ranks are not to blame for that.
     */
    public @Nullable RankSignal next(long deadlineNanos) throws IOException {
        int late = 0;
        while (pending.isEmpty()) {
            collectEnded();
            collectUnconfirmed();
            collectUnreachable();
            if (!pending.isEmpty()) {
                break;
            }
            long millis = (nextDeadline(deadlineNanos) - System.nanoTime()) / 1_000_000 + 1;
            int heard = millis > 0 ? selector.select(this::handle, millis) : selector.selectNow(this::handle);
            // Last: a stranger that has to go now may have said before who it is.
            receiveStrangers();
            boolean isLate = millis <= 0 && deadlineNanos - System.nanoTime() <= 0;
            if (isLate && (heard == 0 || ++late > MAX_LATE_LOOKS)) {
                return null;
            }
            if (Thread.interrupted()) {
                throw new InterruptedGroupException();
            }
        }
        return pending.poll();
    }

    private void receiveStrangers() {
        strangers.refuseLate();
        if (hasCaller) {
            hasCaller = false;
            strangers.accept();
        }
    }

    private void handle(SelectionKey key) {
        if (key.isAcceptable()) {
            hasCaller = true;
        } else if (key.attachment() instanceof RankLink link) {
            hear(key, link);
        } else if (key.attachment() instanceof PendingConnections.Stranger stranger) {
            greet(key, strangers.hear(stranger.channel(), links));
        }
    }

    private void greet(SelectionKey key, PendingConnections.@Nullable Arrival arrival) {
        if (arrival == null) {
            return;
        }
        RankLink link = links.get(arrival.hello().rank());
        link.channel(arrival.channel());
        key.attach(link);
        heard(link);
        pending.add(new RankSignal.Said(link, arrival.hello()));
        try {
            drain(link, arrival.channel());
        } catch (IOException e) {
            lose(key, link, arrival.channel(), "sent something that is not a message: " + e.getMessage());
        }
    }

    private void hear(SelectionKey key, RankLink link) {
        Channel channel = link.channel();
        if (channel == null) {
            return;
        }
        int count;
        try {
            count = channel.fill();
        } catch (IOException e) {
            lose(key, link, channel, "broke its control channel: " + e.getMessage());
            return;
        }
        heard(link);
        try {
            drain(link, channel);
            if (count < 0) {
                lose(key, link, channel, "closed its control channel");
            }
        } catch (IOException e) {
            // The invalid message is the cause; that the process then ends, as it does without the channel, is a
            // consequence.
            closeQuietly(key, channel);
            disconnect(link);
            pending.add(new RankSignal.Lost(link, "sent something that is not a message: " + e.getMessage()));
        }
    }

    private void drain(RankLink link, Channel channel) throws IOException {
        for (FromRank m = channel.next(FromRank.class); m != null; m = channel.next(FromRank.class)) {
            if (m instanceof FromRank.Ended) {
                link.log().testEnded();
            }
            pending.add(new RankSignal.Said(link, m));
        }
    }

    private void heard(RankLink link) {
        if (silence != null) {
            silence.heard(link);
        }
    }

    private void lose(SelectionKey key, RankLink link, Channel channel, String why) {
        closeQuietly(key, channel);
        disconnect(link);
        hangUp(link, why);
    }

    /** Its channel is closed. That it is silent from now on says nothing about its node. */
    private void disconnect(RankLink link) {
        link.channel(null);
        if (silence != null) {
            silence.forget(link);
        }
    }

    /**
     * When a channel ends, its process has usually ended too, and how it ended is more informative. Do not wait for that here,
     * since other ranks may send messages meanwhile.
     */
    private void hangUp(RankLink link, String why) {
        if (link.process().exitStatus().isPresent()) {
            gone(link);
        } else if (!link.gone()) {
            pending.add(new RankSignal.HungUp(link, why));
            hungUp.put(link, new HangUp(why, System.nanoTime() + EXIT_GRACE.toNanos()));
            link.process().confirmExit();
        }
    }

    /** Report the processes whose end has not become known in time. */
    private void collectUnconfirmed() {
        hungUp.entrySet().removeIf(each -> {
            boolean late = System.nanoTime() - each.getValue().deadline() >= 0;
            if (late) {
                pending.add(new RankSignal.Lost(each.getKey(), each.getValue().why()));
            }
            return late;
        });
    }

    /** Ask about the nodes of silent ranks, and report the ranks of those that do not answer. */
    private void collectUnreachable() {
        if (silence == null) {
            return;
        }
        for (RankLink link : silence.overdue()) {
            link.process().checkNode(why -> {
                unreachable.add(Map.entry(link, why));
                selector.wakeup();
            });
        }
        for (var each = unreachable.poll(); each != null; each = unreachable.poll()) {
            RankLink link = each.getKey();
            Channel channel = link.channel();
            if (channel != null) {
                hearTheRest(link, channel);
            }
            if (channel != null && !link.gone()) {
                pending.add(new RankSignal.Lost(link, each.getValue()));
            }
        }
    }

    /** The latest time at which there is something to do. */
    private long nextDeadline(long deadlineNanos) {
        long next = strangers.nextBefore(silence == null ? deadlineNanos : silence.nextBefore(deadlineNanos));
        for (HangUp each : hungUp.values()) {
            next = each.deadline() - next < 0 ? each.deadline() : next;
        }
        return next;
    }

    private void collectEnded() {
        for (RankLink link = ended.poll(); link != null; link = ended.poll()) {
            Channel channel = link.channel();
            if (channel != null) {
                hearTheRest(link, channel);
            }
            gone(link);
        }
    }

    private void gone(RankLink link) {
        hungUp.remove(link);
        if (!link.gone()) {
            link.gone(true);
            ExitStatus status = link.process()
                    .exitStatus()
                    .orElseThrow(() ->
                            new IllegalStateException(link.describe() + " has ended, but its exit status is unknown"));
            pending.add(new RankSignal.Gone(link, status));
        }
    }

    private void hearTheRest(RankLink link, Channel channel) {
        try {
            while (channel.fill() > 0) {
                drain(link, channel);
            }
            drain(link, channel);
        } catch (IOException e) {
            log().debug("The channel of {} ended in the middle of a message", link.describe(), e);
        }
        SelectionKey key = channel.socket().keyFor(selector);
        if (key != null) {
            closeQuietly(key, channel);
        }
        disconnect(link);
    }

    private static void closeQuietly(SelectionKey key, Channel channel) {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            log().debug("Closing a control channel failed", e);
        }
    }

    @Override
    public void close() throws IOException {
        signs.close();
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(RankLinks.class);
    }
}
