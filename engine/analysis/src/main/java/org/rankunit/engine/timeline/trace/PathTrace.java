package org.rankunit.engine.timeline.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TaskText;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.order.CriticalPath;
import org.rankunit.engine.timeline.order.CriticalPath.Kind;
import org.rankunit.engine.timeline.order.CriticalPath.Step;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.TaskNodes;

/** Shows critical paths as slices on lanes of their own. Not thread-safe. */
final class PathTrace {

    private static final String CATEGORY = "critical path";
    private static final double NANOS_PER_MICRO = 1e3;

    private final EventGraph graph;
    private final List<Slice> slices = new ArrayList<>();

    PathTrace(EventGraph graph) {
        this.graph = graph;
    }

    List<Slice> slices() {
        return slices;
    }

    /**
     * Show the path to the last event of the test.
     *
     * @return its length and the shares of it; an empty string if there is none
     */
    String addTest() {
        return CriticalPath.ofTest(graph)
                .filter(path -> path.nanos() > 0)
                .map(path -> {
                    add(Lane.pathOfTest(), "critical path of the test", path);
                    return describe(path);
                })
                .orElse("");
    }

    /** Show the path of each run of a graph. */
    void addRuns() {
        CriticalPath.ofRuns(graph).forEach((end, path) -> {
            if (path.nanos() > 0 && end.event instanceof LoggedEvent.GraphEnd run) {
                add(Lane.pathsOfRuns(end.rank), "critical path of run " + run.run(), path);
            }
        });
    }

    private void add(Lane lane, String name, CriticalPath path) {
        List<Step> steps = path.steps();
        Slice whole = new Slice(lane, CATEGORY, name, steps.get(0).beginNanos())
                .endAt(steps.get(steps.size() - 1).endNanos());
        whole.detail("length", micros(path.nanos()));
        path.nanosByKind().forEach((kind, nanos) -> whole.detail(word(kind), micros(nanos)));
        slices.add(whole);
        Slice last = null;
        String lastName = "";
        for (Step step : steps) {
            String doing = name(step);
            if (last == null || !doing.equals(lastName)) {
                lastName = doing;
                last = new Slice(lane, word(step.kind()), doing, step.beginNanos());
                slices.add(last);
            }
            last.endAt(step.endNanos()).detail("until", until(step.to()));
        }
    }

    private static String describe(CriticalPath path) {
        Map<Kind, Long> nanos = path.nanosByKind();
        return nanos.entrySet().stream()
                .map(kind -> String.format(
                        Locale.ROOT, "%s %.1f %%", word(kind.getKey()), 100.0 * kind.getValue() / path.nanos()))
                .collect(Collectors.joining(", ", micros(path.nanos()) + ": ", ""));
    }

    private static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.3f us", nanos / NANOS_PER_MICRO);
    }

    private String name(Step step) {
        Node to = step.to();
        return step.kind() == Kind.WAIT
                ? "wait of rank " + to.rank + ", " + place(to)
                : (step.kind() == Kind.COPY ? "copy by " : "") + "rank " + to.rank + ", " + place(to);
    }

    /** The event that a step leads to: {@code "rank 0, vector core 1, add: block end"}. */
    private String until(Node node) {
        String words = event(node).getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        return "rank " + node.rank + ", " + place(node) + ": " + words.toLowerCase(Locale.ROOT);
    }

    private String place(Node node) {
        int actor = event(node).at().actor();
        TestRange range = graph.range(node.rank);
        LoggedEvent.BlockBegin block = graph.block(node.rank, actor);
        if (block != null) {
            TaskNodes task = graph.tasks().get(EventGraph.key(node.rank, block.parent()));
            return Lane.core(node.rank, block.cube(), block.core()).name() + ", "
                    + (task == null ? range.text(block.kernel()) : TaskText.name(range, task.made));
        }
        TaskNodes task = graph.tasks().get(EventGraph.key(node.rank, actor));
        if (task != null) {
            return "scheduler, " + TaskText.name(range, task.made);
        }
        LoggedEvent.@Nullable Actor known = range.actor(actor);
        if (known == null) {
            return "host";
        }
        return switch (known.kind()) {
            case STREAM -> "stream " + known.number();
            case ORCHESTRATION -> range.text(known.text());
            case TRANSFER -> "transfer";
            case THREAD -> "thread \"" + range.text(known.text()) + "\"";
        };
    }

    private static LoggedEvent event(Node node) {
        return Objects.requireNonNull(node.event);
    }
}
