package org.rankunit.engine.timeline.graphs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Draws graphs, where Graphviz is installed. */
public final class Graphviz {

    private Graphviz() {}

    /** Draw all graphs of a folder; fails with what Graphviz says of one that it cannot draw. */
    public static void drawAll(Path folder) throws IOException {
        List<Path> graphs;
        try (Stream<Path> files = Files.walk(folder)) {
            graphs = files.filter(file -> file.toString().endsWith(".dot")).toList();
        }
        for (Path graph : graphs) {
            draw(graph);
        }
    }

    private static void draw(Path graph) throws IOException {
        Process dot;
        try {
            dot = new ProcessBuilder("dot", "-Tsvg", graph.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return; // there is none
        }
        String said = new String(dot.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = dot.onExit().join().exitValue();
        if (status != 0 || said.contains("rror")) {
            throw new AssertionError(
                    "dot cannot draw " + graph + " (" + status + "): " + said + Files.readString(graph));
        }
    }
}
