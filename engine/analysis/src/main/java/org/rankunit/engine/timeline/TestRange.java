package org.rankunit.engine.timeline;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The part of a rank's log that belongs to one test, and what was introduced before it. Immutable. */
public final class TestRange {

    private final List<LoggedEvent> events;
    private final Map<Integer, LoggedEvent.Actor> actors;
    private final List<Mapping> mappings;
    private final IntFunction<String> texts;

    /** A window as long as it is mapped: until the event with this index. */
    record Mapping(LoggedEvent.Window window, long until) {

        Mapping endedBy(LoggedEvent.WindowsFreed freed) {
            boolean ends = until == Long.MAX_VALUE
                    && window.communicator() == freed.communicator()
                    && (freed.domain() == 0 || window.domain() == freed.domain());
            return ends ? new Mapping(window, freed.at().index()) : this;
        }

        boolean has(long address, long index) {
            long offset = address - window.address();
            return offset >= 0 && offset < window.bytes() && index > window.at().index() && index < until;
        }
    }

    TestRange(
            List<LoggedEvent> events,
            Map<Integer, LoggedEvent.Actor> actors,
            List<Mapping> mappings,
            IntFunction<String> texts) {
        this.events = List.copyOf(events);
        this.actors = Map.copyOf(actors);
        this.mappings = List.copyOf(mappings);
        this.texts = texts;
    }

    /** The same with other events. */
    TestRange with(List<LoggedEvent> others, IntFunction<String> textOf) {
        return new TestRange(others, actors, mappings, textOf);
    }

    /** What is known of a rank that has recorded nothing of the test. */
    public static TestRange none() {
        return new TestRange(List.of(), Map.of(), List.of(), number -> "");
    }

    /** The events of the test, the marks of its begin and end included; without the latter if it has not ended. */
    public List<LoggedEvent> events() {
        return events;
    }

    /** A stream or an orchestration function. */
    public LoggedEvent.@Nullable Actor actor(int number) {
        return actors.get(number);
    }

    public String text(int number) {
        return texts.apply(number);
    }

    /** A place in memory, the same for all ranks that can access it. */
    public record Place(Space space, long offset) {}

    /** Memory with addresses of its own. */
    public sealed interface Space {

        /**
         * The window of a rank.
         *
         * @param domain 0 is the whole communicator, others are one more than the number of the domain; those from 2^63 + 1 on are memory that
         *     plans of collectives allocated, in this order
         */
        record Window(long communicator, long domain, int ofRank) implements Space {

            /** Returns {@code "window of rank 0"}, {@code "window of rank 0 in domain 7"}, {@code "memory 1 of collectives of rank 0"}. */
            public String name() {
                if (domain < 0) {
                    return "memory " + (domain - Long.MIN_VALUE - 1) + " of collectives of rank " + ofRank;
                }
                return "window of rank " + ofRank + (domain == 0 ? "" : " in domain " + (domain - 1));
            }
        }

        /** The memory of a rank's device; its offsets are addresses. */
        record Device(int rank) implements Space {}
    }

    /** The windows that a rank does not map any more since it has released them. */
    public List<LoggedEvent.Window> endedBy(LoggedEvent.WindowsFreed freed) {
        return mappings.stream()
                .filter(mapping -> mapping.until() == freed.at().index())
                .map(Mapping::window)
                .toList();
    }

    /** Find what an address of a rank was at a moment. Each rank may map a window at another address. */
    public Place placeOf(int rank, long address, LoggedEvent.Moment at) {
        for (Mapping mapping : mappings) {
            if (mapping.has(address, at.index())) {
                LoggedEvent.Window window = mapping.window();
                return new Place(
                        new Space.Window(window.communicator(), window.domain(), window.ofRank()),
                        address - window.address());
            }
        }
        return new Place(new Space.Device(rank), address);
    }
}
