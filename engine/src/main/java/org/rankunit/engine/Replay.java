package org.rankunit.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.EngineExecutionListener;

/**
 * The JUnit events and console output of one class, buffered until it is its turn to be reported.
 *
 * <p>Build tools handle one test at a time: they attribute all output to the test that was reported last. Classes that
 * run at the same time are therefore reported one after the other, on the engine's own thread: the first one as it
 * happens, the others from this buffer.
 */
final class Replay {

    private final EngineExecutionListener target;
    private final Consumer<List<String>> output;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** One event to replay; {@code End} marks the end. */
    private sealed interface Event {

        record Call(Method method, List<Object> arguments) implements Event {}

        record Output(List<String> byRank) implements Event {}

        record End(@Nullable Throwable broken) implements Event {}
    }

    Replay(EngineExecutionListener target, Consumer<List<String>> output) {
        this.target = target;
        this.output = output;
    }

    /** A listener that buffers all calls. It is a proxy, since newer platforms have more methods than at compile time. */
    EngineExecutionListener listener() {
        return (EngineExecutionListener) Proxy.newProxyInstance(
                Replay.class.getClassLoader(),
                new Class<?>[] {EngineExecutionListener.class},
                (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.invoke(this, arguments);
                    }
                    events.add(new Event.Call(method, arguments == null ? List.of() : Arrays.asList(arguments)));
                    return null;
                });
    }

    /** Buffer the output of the ranks. */
    void output(List<String> byRank) {
        events.add(new Event.Output(byRank));
    }

    /** Note that no more events follow, because the class has ended or because of an unexpected exception. */
    void end(@Nullable Throwable broken) {
        events.add(new Event.End(broken));
    }

    /**
     * Replay all events as they arrive, until {@link #end}, which the thread that runs the class always calls.
     *
     * @throws InterruptedException if this thread is interrupted before the end
     */
    void play() throws InterruptedException {
        while (true) {
            Event event = events.take();
            if (event instanceof Event.Call call) {
                tell(call);
            } else if (event instanceof Event.Output printed) {
                output.accept(printed.byRank());
            } else if (event instanceof Event.End end) {
                rethrow(end.broken());
                return;
            }
        }
    }

    private void tell(Event.Call call) {
        try {
            call.method().invoke(target, call.arguments().toArray());
        } catch (InvocationTargetException e) {
            rethrow(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a listener's methods are public", e);
        }
    }

    private static void rethrow(@Nullable Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        } else if (thrown != null) {
            throw new IllegalStateException(thrown);
        }
    }
}
