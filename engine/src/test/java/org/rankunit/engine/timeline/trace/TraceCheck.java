package org.rankunit.engine.timeline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A file in the Trace Event format, held against the rules that viewers rely on. */
public final class TraceCheck {

    private final JsonNode root;
    private final Map<String, String> threads = new HashMap<>();

    private TraceCheck(JsonNode root) {
        this.root = root;
    }

    /** Read a file and check it. */
    public static TraceCheck of(Path file) throws IOException {
        TraceCheck check = new TraceCheck(new ObjectMapper().readTree(file.toFile()));
        check.names();
        check.order();
        check.nesting();
        check.arrowEnds();
        return check;
    }

    private List<JsonNode> events(String phase) {
        List<JsonNode> events = new ArrayList<>();
        for (JsonNode event : root.get("traceEvents")) {
            if (event.get("ph").asText().equals(phase)) {
                events.add(event);
            }
        }
        return events;
    }

    private static String thread(JsonNode event) {
        return event.get("pid").asInt() + "/" + event.get("tid").asInt();
    }

    private static BigDecimal begin(JsonNode event) {
        return event.get("ts").decimalValue();
    }

    private static BigDecimal end(JsonNode slice) {
        return begin(slice).add(slice.get("dur").decimalValue());
    }

    private void names() {
        events("M").stream()
                .filter(event -> event.get("name").asText().equals("thread_name"))
                .forEach(event ->
                        threads.put(thread(event), event.get("args").get("name").asText()));
        for (JsonNode slice : events("X")) {
            assertThat(threads).containsKey(thread(slice));
            assertThat(slice.get("name").asText()).isNotEmpty();
        }
    }

    /** Time does not go back within a lane, and is not negative. */
    private void order() {
        Map<String, BigDecimal> last = new HashMap<>();
        for (JsonNode event : root.get("traceEvents")) {
            if (event.get("ph").asText().equals("M")) {
                continue;
            }
            BigDecimal before = last.put(thread(event), begin(event));
            assertThat(begin(event)).isGreaterThanOrEqualTo(before == null ? BigDecimal.ZERO : before);
            assertThat(begin(event).scale()).isLessThanOrEqualTo(3);
        }
    }

    private void nesting() {
        Map<String, Deque<JsonNode>> around = new HashMap<>();
        for (JsonNode slice : events("X")) {
            Deque<JsonNode> outer = around.computeIfAbsent(thread(slice), t -> new ArrayDeque<>());
            while (!outer.isEmpty() && end(outer.peek()).compareTo(begin(slice)) <= 0) {
                outer.pop();
            }
            if (!outer.isEmpty()) {
                assertThat(end(slice)).as("%s in %s", slice, outer.peek()).isLessThanOrEqualTo(end(outer.peek()));
            }
            outer.push(slice);
        }
    }

    /** Each arrow has one begin and one end, each within a slice. */
    private void arrowEnds() {
        Map<Integer, JsonNode> begins = byId("s");
        Map<Integer, JsonNode> ends = byId("f");
        assertThat(begins.keySet()).isEqualTo(ends.keySet());
        ends.forEach((id, end) -> {
            JsonNode begin = Objects.requireNonNull(begins.get(id));
            assertThat(end.get("bp").asText()).isEqualTo("e");
            assertThat(end.get("cat")).isEqualTo(begin.get("cat"));
            assertThat(end.get("name")).isEqualTo(begin.get("name"));
            sliceAround(end);
            sliceAround(begin);
        });
    }

    private Map<Integer, JsonNode> byId(String phase) {
        Map<Integer, JsonNode> byId = new TreeMap<>();
        for (JsonNode event : events(phase)) {
            assertThat(byId.put(event.get("id").asInt(), event)).isNull();
        }
        return byId;
    }

    /** The innermost one. */
    private JsonNode sliceAround(JsonNode end) {
        return events("X").stream()
                .filter(slice -> thread(slice).equals(thread(end))
                        && begin(slice).compareTo(begin(end)) <= 0
                        && end(slice).compareTo(begin(end)) >= 0)
                .reduce((outer, inner) -> inner)
                .orElseThrow(() -> new AssertionError("no slice is around " + end));
    }

    /** The arrows of a category, as {@code "0 stream 1: post a notify -> 1 stream 1: wait for a notify"}. */
    public List<String> arrows(String category) {
        Map<Integer, JsonNode> ends = byId("f");
        List<String> arrows = new ArrayList<>();
        byId("s").forEach((id, begin) -> {
            if (begin.get("cat").asText().equals(category)) {
                arrows.add(describe(sliceAround(begin)) + " -> "
                        + describe(sliceAround(Objects.requireNonNull(ends.get(id)))));
            }
        });
        return arrows;
    }

    private String describe(JsonNode slice) {
        return slice.get("pid").asInt() + " " + threads.get(thread(slice)) + ": "
                + slice.get("name").asText();
    }

    /** All slices of a rank, as {@code "stream 1: copy 8 bytes"}. */
    public List<String> slices(int rank) {
        return events("X").stream()
                .filter(slice -> slice.get("pid").asInt() == rank)
                .map(slice -> describe(slice).replaceFirst("^\\d+ ", ""))
                .toList();
    }

    /** Begin and duration of the slice of this name, in microseconds. */
    public List<String> times(String name) {
        return events("X").stream()
                .filter(slice -> slice.get("name").asText().equals(name))
                .map(slice -> slice.get("ts").asText() + "+" + slice.get("dur").asText())
                .toList();
    }

    /** The details of the slice of this name. */
    public String details(String name) {
        return events("X").stream()
                .filter(slice -> slice.get("name").asText().equals(name))
                .map(slice -> slice.get("args").toString())
                .findFirst()
                .orElse("");
    }

    /** The values of a counter. */
    public List<String> values(String name) {
        return events("C").stream()
                .filter(event -> event.get("name").asText().equals(name))
                .map(event -> event.get("args").toString())
                .toList();
    }

    public String otherData() {
        return root.get("otherData").toString();
    }
}
