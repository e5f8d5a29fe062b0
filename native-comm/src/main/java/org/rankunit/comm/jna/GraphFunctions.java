package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * The functions of {@code graph.h}, under their own names; everything said of {@link DeviceFunctions} holds for them too.
 * Graphs, and the kernels and tasks of a graph, are numbers.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class GraphFunctions {

    private GraphFunctions() {}

    public static native int graph_create(long device, int runtime, String name, int[] graphOut);

    public static native int graph_destroy(long device, int graph);

    public static native int graph_set(long device, int graph, int setting, long value);

    public static native int graph_add_kernel(
            long device, int graph, long kernel, int cores, int argumentCount, String name, int[] kernelOut);

    public static native int graph_set_orchestration(long device, int graph, String libraryPath, String symbol);

    public static native int graph_add_task(
            long device,
            int graph,
            int kernel,
            int blocks,
            String name,
            long[] arguments,
            long argumentCount,
            int[] taskOut);

    public static native int graph_add_edge(long device, int graph, int before, int after);

    public static native int graph_add_wait(
            long device, int graph, int task, long cells, int rows, int columns, long rowBytes, int compare, int value);

    public static native int graph_set_predicate(long device, int graph, int task, long cell, int compare, int value);

    public static native int graph_run(long device, int graph, long[] arguments, int argumentCount, long timeoutMs);

    public static native int stream_run_graph(long device, int stream, int graph, long[] arguments, int argumentCount);

    public static native int graph_complete(long device, long token);

    public static native int graph_count(long device, int graph, int count, int[] valueOut);

    public static native int graph_describe(long device, int graph, byte[] textOut, long capacity);
}
