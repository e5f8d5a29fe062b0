package org.rankunit.engine.shake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was decided on one rank.
 *
 * @param summary how many there were, and their hash
 * @param released whether the rank was ended in the middle
 * @param byPoint what was decided at each point, in the order of their names; empty if there were too many
 */
record Decisions(String summary, boolean released, Map<String, String> byPoint) {

    private static final String COMMENT = "# ";
    private static final String RELEASED = COMMENT + "released by the failure of another rank";
    private static final String SEPARATOR = ": ";

    /** Read the lines that a rank has written. */
    static Decisions told(String summary, boolean released, List<String> lines) {
        Map<String, String> byPoint = new LinkedHashMap<>();
        for (String line : lines) {
            int end = Math.max(line.lastIndexOf(SEPARATOR), 0);
            byPoint.put(line.substring(0, end), line.substring(Math.min(line.length(), end + SEPARATOR.length())));
        }
        return new Decisions(summary, released, byPoint);
    }

    /** Read what {@link #store} has written. */
    static Decisions read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> comments =
                lines.stream().filter(line -> line.startsWith(COMMENT)).toList();
        if (comments.size() < 2) {
            throw new IOException("its first two lines are not the test and a summary");
        }
        return told(
                comments.get(1).substring(COMMENT.length()),
                comments.contains(RELEASED),
                lines.stream().filter(line -> !line.startsWith(COMMENT)).toList());
    }

    /** @param title names the test and the rank */
    void store(Path file, String title) throws IOException {
        List<String> lines = new ArrayList<>(List.of(COMMENT + title, COMMENT + summary));
        if (released) {
            lines.add(RELEASED);
        }
        byPoint.forEach((point, decision) -> lines.add(point + SEPARATOR + decision));
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
    }

    /** Describe the first decision that differs in a later run; a rank that was released may lack some. */
    Optional<String> firstDifference(Decisions later) {
        List<String> before = List.copyOf(byPoint.keySet());
        List<String> now = List.copyOf(later.byPoint.keySet());
        for (int i = 0; i < Math.max(before.size(), now.size()); i++) {
            if (i < before.size() && differs(before.get(i), later)) {
                String point = before.get(i);
                return Optional.of("\"" + point + "\" was: " + byPoint.get(point) + ", and is: "
                        + later.byPoint.getOrDefault(point, "not reached"));
            } else if (i < now.size() && !released && !byPoint.containsKey(now.get(i))) {
                return Optional.of("\"" + now.get(i) + "\" was: not reached, and is: " + later.byPoint.get(now.get(i)));
            }
        }
        boolean comparable = !released && !later.released;
        return comparable && !summary.equals(later.summary)
                ? Optional.of("there were " + summary + ", and there are " + later.summary)
                : Optional.empty();
    }

    private boolean differs(String point, Decisions later) {
        String decision = later.byPoint.get(point);
        return decision == null ? !later.released : !decision.equals(byPoint.get(point));
    }
}
