package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.GraphFunctions;
import org.rankunit.device.Comparison;

/**
 * A task of a host-built graph; made by {@link TaskGraph#task}. Its methods return the task itself.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class GraphTask {

    private static final int CELL_BYTES = 4;

    private final TaskGraph graph;

    private final int number;

    GraphTask(TaskGraph graph, int number) {
        this.graph = graph;
        this.number = number;
    }

    /** Its number in the graph, from 1 on, as messages give it. */
    public int number() {
        return number;
    }

    /** Lets this task start only when all of {@code before} have completed. */
    public GraphTask after(GraphTask... before) {
        Arrays.stream(before).forEach(task -> {
            if (task.graph != graph) {
                throw new IllegalArgumentException(task + " is a task of " + task.graph + ", not of " + graph);
            }
            graph.call("edge", h -> GraphFunctions.graph_add_edge(h, graph.number(), task.number, number));
        });
        return this;
    }

    /**
     * Lets this task start only when {@code cell comparison value} holds (WAIT as a parameter). The control processor
     * polls the cell; no core is taken meanwhile, and the cell is not changed.
     *
     * @param cell address of an {@code int} in device memory or a window, a multiple of 4
     */
    public GraphTask waitUntil(long cell, Comparison comparison, int value) {
        return waitUntil(cell, 1, 1, CELL_BYTES, comparison, value);
    }

    /**
     * Lets this task start only when all cells of a matrix satisfy a comparison.
     *
     * @param cells address of the first cell, a multiple of 4
     * @param rowBytes distance from one row to the next, a multiple of 4
     */
    public GraphTask waitUntil(long cells, int rows, int columns, long rowBytes, Comparison comparison, int value) {
        graph.call(
                "wait",
                h -> GraphFunctions.graph_add_wait(
                        h, graph.number(), number, cells, rows, columns, rowBytes, comparison.number(), value));
        return this;
    }

    /** Lets this task run only if {@code cell comparison value} holds when it would start. Else it completes at once. */
    public GraphTask onlyIf(long cell, Comparison comparison, int value) {
        graph.call(
                "predicate",
                h -> GraphFunctions.graph_set_predicate(h, graph.number(), number, cell, comparison.number(), value));
        return this;
    }

    @Override
    public String toString() {
        return "task " + number;
    }
}
