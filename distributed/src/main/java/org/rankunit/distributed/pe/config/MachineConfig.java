package org.rankunit.distributed.pe.config;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;
import org.rankunit.collective.yaml.YamlMap;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.MachineShape;
import org.rankunit.distributed.pe.machine.Speed;

/**
 * A machine as {@code topology.yaml} describes it.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record MachineConfig(MachineShape shape, Costs costs) {

    private static final int MAX = 1 << 16;

    /**
     * Read a file.
     *
     * @throws org.rankunit.collective.yaml.YamlException if it is not such a file; the message has the place and what is allowed there
     */
    public static MachineConfig read(Path file) {
        return of(YamlMap.read(file));
    }

    /**
     * Read a text.
     *
     * @param name of the file, for messages
     */
    public static MachineConfig parse(String name, String text) {
        return of(YamlMap.parse(name, text));
    }

    private static MachineConfig of(YamlMap file) {
        file.allow("system", "sip", "cube", "memory", "links", "costs");
        YamlMap sips = file.map("system").allow("sips").map("sips").allow("count");
        YamlMap mesh = file.map("sip").allow("cube_mesh").map("cube_mesh").allow("w", "h");
        YamlMap layout = file.map("cube").allow("pe_layout").map("pe_layout").allow("pe_per_corner", "corners");
        MachineShape shape = new MachineShape(
                sips.integer("count", 1, MAX),
                mesh.integer("w", 1, MAX),
                mesh.integer("h", 1, MAX),
                layout.integer("pe_per_corner", 1, MAX),
                layout.integer("corners", 1, MAX));
        if ((double) shape.sips() * shape.cubesWide() * shape.cubesHigh() * shape.pesPerCorner() * shape.corners()
                > MAX) {
            throw file.error("system", "a machine of " + shape + " has more than " + MAX + " PEs");
        }
        return new MachineConfig(shape, costs(file));
    }

    private static Costs costs(YamlMap file) {
        Costs assumed = Costs.assumed();
        YamlMap none = YamlMap.parse("", "{}");
        YamlMap memory = file.findMap("memory").orElse(none).allow("tcm", "hbm", "sram");
        YamlMap links = file.findMap("links").orElse(none).allow("pe", "cube", "sip");
        YamlMap costs = file.findMap("costs").orElse(none).allow("issue_ns", "elements_per_ns", "poll_ns", "wake_ns");
        return new Costs(
                speed(memory, "tcm", assumed.tcm()),
                speed(memory, "hbm", assumed.hbm()),
                speed(memory, "sram", assumed.sram()),
                speed(links, "pe", assumed.pe()),
                speed(links, "cube", assumed.cube()),
                speed(links, "sip", assumed.sip()),
                costs.findNumber("issue_ns", 0, false).orElse(assumed.issue()),
                costs.findNumber("elements_per_ns", 0, true).orElse(assumed.elements()),
                costs.findNumber("poll_ns", 0, true).orElse(assumed.poll()),
                costs.findNumber("wake_ns", 0, false).orElse(assumed.wake()));
    }

    private static Speed speed(YamlMap kinds, String kind, Speed otherwise) {
        return kinds.findMap(kind)
                .map(each -> each.allow("latency_ns", "bandwidth_gbps"))
                .map(each -> new Speed(
                        each.findNumber("latency_ns", 0, false).orElse(otherwise.latency()),
                        each.findNumber("bandwidth_gbps", 0, true).orElse(otherwise.bandwidth())))
                .orElse(otherwise);
    }
}
