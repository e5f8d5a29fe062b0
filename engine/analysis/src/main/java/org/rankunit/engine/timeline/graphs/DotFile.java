package org.rankunit.engine.timeline.graphs;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TaskText;

/** Writes runs of graphs in the DOT language: each run is a cluster, each task a node. Stateless. */
final class DotFile {

    private DotFile() {}

    /** @param sources finds who signalled; {@code null} if that is not known */
    static void write(Appendable out, String title, List<GraphRun> runs, GraphFiles.Sources sources)
            throws IOException {
        // Without newrank, dot cannot place clusters between which there are edges.
        out.append("digraph ").append(quoted(title)).append(" {\n  newrank=true;\n  node [shape=box];\n");
        for (GraphRun run : runs) {
            writeTasks(out, run);
        }
        Set<String> others = new LinkedHashSet<>();
        for (GraphRun run : runs) {
            writeEdges(out, run);
            writeSignals(out, run, sources, others);
        }
        for (String other : others) {
            out.append("  ").append(quoted(other)).append(" [shape=ellipse];\n");
        }
        out.append("}\n");
    }

    private static void writeTasks(Appendable out, GraphRun run) throws IOException {
        out.append("  subgraph ").append(quoted("cluster_" + run.rank() + "_" + run.number()));
        out.append(" {\n    label=")
                .append(quoted("rank " + run.rank() + ", run " + run.number() + ": " + run.name()))
                .append(";\n");
        for (GraphRun.Task task : run.tasks()) {
            String kernel = run.range().text(task.made.kernel());
            String blocks = task.made.blocks() + (task.made.blocks() == 1 ? " block, " : " blocks, ") + task.cores();
            out.append("    ").append(node(run.rank(), task.made)).append(" [label=");
            out.append(quoted("task " + task.number() + " " + TaskText.name(run.range(), task.made) + "\nkernel "
                    + kernel + "\n" + blocks));
            out.append(task.skipped ? ", style=dashed];\n" : "];\n");
        }
        out.append("  }\n");
    }

    private static void writeEdges(Appendable out, GraphRun run) throws IOException {
        for (GraphRun.Edge edge : run.edges()) {
            writeEdge(
                    out,
                    node(run.rank(), edge.before().made),
                    node(run.rank(), edge.after().made),
                    edge.derived() ? " [label=\"derived\", style=dashed]" : "");
        }
    }

    private static void writeSignals(Appendable out, GraphRun run, GraphFiles.Sources sources, Set<String> others)
            throws IOException {
        for (GraphRun.Task task : run.tasks()) {
            Set<String> froms = new LinkedHashSet<>();
            for (LoggedEvent.Wait wait : task.waits) {
                for (SignalSources.Source source : sources.of(run.rank(), wait)) {
                    if (source.task() == null) {
                        String other = "rank " + source.rank() + ", " + source.text();
                        others.add(other);
                        froms.add(quoted(other));
                    } else {
                        froms.add(node(source.rank(), source.task()));
                    }
                }
            }
            for (String from : froms) {
                writeEdge(out, from, node(run.rank(), task.made), " [label=\"signal\", style=dotted]");
            }
        }
    }

    private static void writeEdge(Appendable out, String from, String to, String attributes) throws IOException {
        out.append("  ")
                .append(from)
                .append(" -> ")
                .append(to)
                .append(attributes)
                .append(";\n");
    }

    private static String node(int rank, LoggedEvent.Task task) {
        return quoted(rank + "/" + task.run() + "/" + TaskText.number(task));
    }

    /** In a quoted string, a quote ends it and a backslash begins an escape; control characters have no place in it. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c == '\n') {
                quoted.append("\\n");
            } else {
                quoted.append(Character.isISOControl(c) ? ' ' : c);
            }
        }
        return quoted.append('"').toString();
    }
}
