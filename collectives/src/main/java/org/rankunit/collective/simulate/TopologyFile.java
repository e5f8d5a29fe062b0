package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.collective.yaml.YamlMap;

/**
 * Reads machines of servers from {@code topology.yaml}:
 *
 * <pre>{@code
 * levels:
 *   - {name: server, members: 8, latency_us: 2, bandwidth_gbps: 56, ports: 1, duplex: true}
 *   - {name: rack, members: 4, latency_us: 5, bandwidth_gbps: 25, oversubscription: 2}
 *   - {name: hall, latency_us: 20, bandwidth_gbps: 25, oversubscription: 4}
 * costs: {task_us: 0.5, copy_gbps: 750, reduction_gbps: 483}
 * }</pre>
 *
 * <p>The innermost level is first, and its members are ranks. The outermost level has no members: it has all. Ports are 1, duplex is true,
 * oversubscription 1; costs that are not there are none.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TopologyFile {

    private static final double MICRO = 1e-6;
    private static final double GIGA = 1e9;
    private static final int MAX = 1 << 20;
    private static final String MEMBERS = "members";
    private static final String OVERSUBSCRIPTION = "oversubscription";

    private TopologyFile() {}

    /**
     * Read a file.
     *
     * @throws org.rankunit.collective.yaml.YamlException if it is not such a file; the message has the place and what is allowed there
     */
    public static Topology read(Path file) {
        return of(YamlMap.read(file));
    }

    /**
     * Read a text.
     *
     * @param name of the file, for messages
     */
    public static Topology parse(String name, String text) {
        return of(YamlMap.parse(name, text));
    }

    private static Topology of(YamlMap file) {
        file.allow("levels", "costs");
        List<YamlMap> described = file.maps("levels");
        if (described.isEmpty()) {
            throw file.error("levels", "a machine has at least one level");
        }
        List<Level> levels = new ArrayList<>();
        for (YamlMap each : described) {
            levels.add(level(each, levels.isEmpty(), levels.size() == described.size() - 1));
        }
        YamlMap costs =
                file.findMap("costs").orElse(YamlMap.parse("", "{}")).allow("task_us", "copy_gbps", "reduction_gbps");
        return new Topology(
                levels,
                costs.findNumber("task_us", 0, false).orElse(0.0) * MICRO,
                costs.findNumber("copy_gbps", 0, true)
                        .map(speed -> speed * GIGA)
                        .orElse(Double.POSITIVE_INFINITY),
                costs.findNumber("reduction_gbps", 0, true)
                        .map(speed -> 1 / (speed * GIGA))
                        .orElse(0.0));
    }

    private static Level level(YamlMap map, boolean innermost, boolean outermost) {
        map.allow("name", MEMBERS, "latency_us", "bandwidth_gbps", "ports", "duplex", OVERSUBSCRIPTION);
        if (innermost && map.has(OVERSUBSCRIPTION)) {
            throw map.error(OVERSUBSCRIPTION, "the innermost level has no uplinks below it");
        }
        if (outermost && !innermost && map.has(MEMBERS)) {
            throw map.error(MEMBERS, "the outermost level has all members, however many there are");
        }
        LinkModel links = new LinkModel(
                map.number("latency_us", 0, false) * MICRO,
                map.number("bandwidth_gbps", 0, true) * GIGA,
                map.findInteger("ports", 1, MAX).orElse(1),
                map.findBoolean("duplex").orElse(true));
        int members = outermost && !map.has(MEMBERS) ? 0 : map.integer(MEMBERS, 1, MAX);
        return new Level(
                map.text("name"),
                members,
                links,
                map.findNumber(OVERSUBSCRIPTION, 1, false).orElse(1.0));
    }
}
