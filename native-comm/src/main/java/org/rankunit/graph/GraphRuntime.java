package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * How the tasks of a graph get to its device, and where their dependencies come from.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum GraphRuntime {

    /** The host makes all tasks and dependencies, and then the device runs the graph. */
    HOST_BUILD_GRAPH(0),

    /**
     * An orchestration function on the device's control processor makes tasks and dependencies, and publishes each
     * task.
     */
    AICPU_BUILD_GRAPH(1),

    /**
     * An orchestration function submits tasks with their inputs and outputs, from which the dependencies follow. Tasks
     * and the outputs that the runtime allocates are kept in rings of fixed size.
     */
    TENSORMAP_AND_RINGBUFFER(2);

    private final int number;

    GraphRuntime(int number) {
        this.number = number;
    }

    /** Its number in {@code GraphRuntime} of {@code graph.h}. */
    int number() {
        return number;
    }

    /** The name by which annotations and configuration keys know it, for example {@code host_build_graph}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a runtime by its {@link #id()}.
     *
     * @throws IllegalArgumentException if there is no such runtime; the message lists those that there are
     */
    public static GraphRuntime of(String id) {
        return Arrays.stream(values())
                .filter(runtime -> runtime.id().equals(id))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("\"" + id + "\" is not a runtime of task graphs. There are "
                                + Arrays.stream(values()).map(GraphRuntime::id).collect(Collectors.joining(", "))));
    }
}
