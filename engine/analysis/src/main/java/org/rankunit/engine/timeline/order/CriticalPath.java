package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Look;
import org.rankunit.engine.timeline.LoggedEvent.Moment;
import org.rankunit.engine.timeline.LoggedEvent.WorkKind;

/**
 * The chain of events that determined when something ended: from its end back, each event after the latest one of those
 * that had to happen before it. Its steps follow each other without gaps, so its length is the time from its first event
 * to its last one. Immutable.
 */
public final class CriticalPath {

    /** What happened in a step. */
    public enum Kind {

        /** A block of a kernel ran. */
        COMPUTE,

        /** Bytes were copied, by the host, a stream or a kernel. */
        COPY,

        /** The host did something else. */
        HOST,

        /** An orchestration function ran. */
        ORCHESTRATION,

        /** Nothing of the chain ran: something waited, was dispatched, or had to be noticed. */
        WAIT
    }

    /** From one event to the next one, or a part of that. */
    public record Step(Kind kind, Node to, long beginNanos, long endNanos) {}

    private final List<Step> steps;

    private CriticalPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Find the chain to the latest event of all; empty if nothing happened. */
    public static Optional<CriticalPath> ofTest(EventGraph graph) {
        return graph.nodes().stream()
                .max(Comparator.comparingLong(CriticalPath::time))
                .map(last -> to(graph, last, Long.MIN_VALUE));
    }

    /** Find the chain to an event, without what happened before a time. */
    public static CriticalPath to(EventGraph graph, Node last, long notBefore) {
        return new CriticalPath(new Walk(graph, notBefore).from(last));
    }

    /** In the order of time. Those without a duration are left out. */
    public List<Step> steps() {
        return steps;
    }

    public long nanos() {
        return steps.stream()
                .mapToLong(step -> step.endNanos() - step.beginNanos())
                .sum();
    }

    /** The time of each kind of step, 0 where there is none. */
    public Map<Kind, Long> nanosByKind() {
        Map<Kind, Long> nanos = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            nanos.put(kind, 0L);
        }
        steps.forEach(step -> nanos.merge(step.kind(), step.endNanos() - step.beginNanos(), Long::sum));
        return nanos;
    }

    private static long time(Node node) {
        return at(node).endNanos();
    }

    private static Moment at(Node node) {
        return event(node).at();
    }

    /** Accesses, which have none, are no part of the graph until races are looked for. */
    private static LoggedEvent event(Node node) {
        return Objects.requireNonNull(node.event);
    }

    /** One way back. */
    private static final class Walk {

        private final EventGraph graph;
        private final long notBefore;
        private final List<Step> steps = new ArrayList<>();

        Walk(EventGraph graph, long notBefore) {
            this.graph = graph;
            this.notBefore = notBefore;
        }

        List<Step> from(Node last) {
            Set<Node> seen = new HashSet<>();
            Node node = last;
            long end = time(last);
            while (end > notBefore && seen.add(node)) {
                Node before = latestBefore(node);
                if (before == null) {
                    break;
                }
                // What is recorded after it has taken effect may have a later time than what it let go on.
                long begin = Math.max(notBefore, Math.min(time(before), end));
                split(before, node, begin, end);
                node = before;
                end = begin;
            }
            Collections.reverse(steps);
            return steps;
        }

        private @Nullable Node latestBefore(Node node) {
            return Stream.concat(node.before.stream(), causesOfLook(node))
                    .filter(before -> !isIntroduction(event(before)))
                    .max(Comparator.comparingLong(CriticalPath::time)
                            .thenComparing(before -> isOfSameActor(before, node)))
                    .orElse(null);
        }

        /** A task looks at cells when nothing else keeps it from running. */
        private Stream<Node> causesOfLook(Node node) {
            TaskNodes task = isLookOfTask(event(node)) ? graph.tasks().get(key(node.rank, at(node).actor())) : null;
            return task == null ? Stream.empty() : task.causes().filter(cause -> !isLookOfTask(event(cause)));
        }

        private static boolean isLookOfTask(LoggedEvent event) {
            return event instanceof LoggedEvent.Wait wait && wait.look() == Look.TASK;
        }

        /** It only says something about its actor, which has done nothing. */
        private static boolean isIntroduction(LoggedEvent event) {
            return event instanceof LoggedEvent.Actor
                    || (event instanceof LoggedEvent.Argument argument && argument.work() == 0);
        }

        private static boolean isOfSameActor(Node a, Node b) {
            return a.rank == b.rank && at(a).actor() == at(b).actor();
        }

        private void split(Node before, Node node, long begin, long end) {
            if (!isOfSameActor(before, node)) {
                add(Kind.WAIT, node, begin, end);
                return;
            }
            Kind own = kindOf(node);
            Kind kind = kindOfEvent(event(node));
            if (kind == null) {
                add(own, node, begin, end);
            } else {
                long split = Math.max(begin, Math.min(at(node).beginNanos(), end));
                add(kind, node, split, end);
                add(own, node, begin, split);
            }
        }

        private void add(Kind kind, Node node, long begin, long end) {
            if (end > begin) {
                steps.add(new Step(kind, node, begin, end));
            }
        }

        /** What an event is in itself that has a duration of its own. */
        private static @Nullable Kind kindOfEvent(LoggedEvent event) {
            if (event instanceof LoggedEvent.Copy) {
                return Kind.COPY;
            } else if (event instanceof LoggedEvent.Wait
                    || event instanceof LoggedEvent.NotifyWait
                    || event instanceof LoggedEvent.EventWait
                    || event instanceof LoggedEvent.BarrierEnd) {
                return Kind.WAIT;
            }
            return null;
        }

        /** What its actor does between events. */
        private Kind kindOf(Node node) {
            int actor = at(node).actor();
            if (actor == 0) {
                return Kind.HOST;
            } else if (graph.block(node.rank, actor) != null) {
                return Kind.COMPUTE;
            }
            LoggedEvent.Actor known = graph.range(node.rank).actor(actor);
            if (known != null && known.kind() == LoggedEvent.ActorKind.ORCHESTRATION) {
                return Kind.ORCHESTRATION;
            }
            boolean copies = event(node) instanceof LoggedEvent.WorkEnd work && work.kind() == WorkKind.COPY;
            return copies ? Kind.COPY : Kind.WAIT;
        }
    }

    /** The chains of all runs of graphs that have ended, by the event of their end, in the order of the log. */
    public static Map<Node, CriticalPath> ofRuns(EventGraph graph) {
        Map<Long, Node> begins = new HashMap<>();
        Map<Node, CriticalPath> paths = new LinkedHashMap<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.GraphBegin begin) {
                begins.put(key(node.rank, begin.run()), node);
            } else if (node.event instanceof LoggedEvent.GraphEnd end) {
                Node begin = begins.get(key(node.rank, end.run()));
                if (begin != null) {
                    paths.put(node, to(graph, node, time(begin)));
                }
            }
        }
        return paths;
    }
}
