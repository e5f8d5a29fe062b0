package org.rankunit.engine.rank.parent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.device.DeviceActivity;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.UnsendableException;
import org.rankunit.engine.rank.evidence.Evidence;
import org.rankunit.engine.rank.evidence.RankConsole;

/**
 * The rank's end of the control channel. A thread of its own listens to the parent at all times, so that a release or a request for
 * evidence is handled while a test runs.
 *
 * <p>Waits here have no deadline of their own: the parent has one for each of them, and ends this process when it passes.
 */
public final class ControlLine {

    private final Channel channel;
    private final Thread mainThread = Thread.currentThread();
    private final BlockingQueue<ToRank> orders = new LinkedBlockingQueue<>();
    private final BlockingQueue<ToRank.Enter> answers = new ArrayBlockingQueue<>(1);

    /** Whether the parent has released this rank. If so, what the communicator throws from now on is a consequence. */
    private volatile boolean released;

    /** Must be called on the main thread, which runs the tests. */
    public ControlLine(Channel channel) {
        this.channel = channel;
    }

    /**
     * Start listening to the parent.
     *
     * @param whereabouts called on a thread other than the one that runs the tests
     * @param devices called there, too
     */
    public void start(
            CommunicatorState communicator,
            Supplier<FromRank.Whereabouts> whereabouts,
            Supplier<DeviceActivity> devices) {
        Messages messages = new Messages(communicator, whereabouts, devices);
        Thread listener = new Thread(() -> listen(messages));
        listener.setName("rankunit-control");
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Send a message. The interrupt flag is cleared meanwhile, because a channel is closed if an interrupted thread uses it, and a
     * test may leave its thread interrupted.
     *
     * @throws UncheckedIOException if this message cannot be sent
     * @throws LostParentException if the parent cannot be reached
     */
    public void send(FromRank message) {
        boolean interrupted = Thread.interrupted();
        try {
            channel.send((Record) message, FromRank.class);
        } catch (UnsendableException e) {
            throw new UncheckedIOException(e);
        } catch (IOException e) {
            throw new LostParentException("the control channel broke: the parent cannot be reached", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Receive one message; allowed only until this is started. */
    @Nullable ToRank receive() {
        try {
            return channel.receive(ToRank.class);
        } catch (IOException e) {
            throw new LostParentException("the control channel broke: the parent cannot be heard", e);
        }
    }

    /** Whether the parent has released this rank. */
    public boolean isReleased() {
        return released;
    }

    /** Wait for the next order to run tests or to shut down. */
    public ToRank nextOrder() {
        return take(orders);
    }

    /** Ask to enter a test, and wait for the parent's answer. Returns whether to run the test. */
    public boolean enter(String uniqueId, int buffers) {
        send(new FromRank.Entering(uniqueId, buffers));
        ToRank.Enter answer = take(answers);
        if (!answer.uniqueId().equals(uniqueId)) {
            throw new IllegalStateException("asked to enter " + uniqueId + ", was answered for " + answer.uniqueId());
        }
        return answer.run();
    }

    /** The parent stops a rank by ending its process, so an interrupt comes from the test and is preserved for it. */
    private static <T> T take(BlockingQueue<T> queue) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return queue.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void listen(Messages messages) {
        try {
            for (ToRank m = channel.receive(ToRank.class); m != null; m = channel.receive(ToRank.class)) {
                m.accept(messages);
                if (messages.isLast) {
                    // Nothing follows. Reading on would only delay the end of this process.
                    ParentWatch.leaving();
                    return;
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            RankConsole.err().println("rankunit: the control channel broke: " + e);
        }
        ParentWatch.channelEnded();
    }

    /** Handles the parent's messages once this rank is up. */
    private final class Messages implements ToRank.Visitor<RuntimeException> {

        private final CommunicatorState communicator;
        private final Supplier<FromRank.Whereabouts> whereabouts;
        private final Supplier<DeviceActivity> devices;
        private boolean isLast;

        Messages(
                CommunicatorState communicator,
                Supplier<FromRank.Whereabouts> whereabouts,
                Supplier<DeviceActivity> devices) {
            this.communicator = communicator;
            this.whereabouts = whereabouts;
            this.devices = devices;
        }

        @Override
        public void runTests(ToRank.RunTests message) {
            orders.add(message);
        }

        @Override
        public void enter(ToRank.Enter message) {
            answers.add(message);
        }

        @Override
        public void release(ToRank.Release message) {
            // A rank that has already aborted its communicator is not released: it is the reason why the others could
            // not continue.
            if (communicator.abortedHere().isEmpty()) {
                released = true;
            }
            communicator.release(message.failedRank(), message.reason());
        }

        @Override
        public void showEvidence(ToRank.ShowEvidence message) {
            send(whereabouts.get());
            send(Evidence.show(mainThread, communicator.operations()));
        }

        @Override
        public void look(ToRank.Look message) {
            send(Evidence.seen(message.round(), mainThread, communicator.operations(), devices.get()));
        }

        @Override
        public void shutdown(ToRank.Shutdown message) {
            orders.add(message);
            isLast = true;
        }

        @Override
        public void bringUp(ToRank.BringUp message) {
            throw new IllegalStateException("the parent asked to bring up a rank that is up");
        }

        @Override
        public void rootInfo(ToRank.RootInfo message) {
            throw new IllegalStateException("the parent sent the root information to a rank that is already up");
        }
    }
}
