package org.rankunit.pool.machine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.machine.npusmi.Chip;
import org.rankunit.pool.machine.npusmi.InfoTable;
import org.rankunit.pool.machine.npusmi.LinkTable;
import org.rankunit.pool.machine.npusmi.MappingTable;

/**
 * Detects once which devices the machine has: first from the nodes, then from what {@code npu-smi} reports about them.
 */
final class Detection {

    private static final String NODES = "/dev/davinci*";

    private final NpuSmi npuSmi;
    private final DeviceNodes nodes;
    private final List<String> notes = new ArrayList<>();
    private boolean pairs;

    private Detection(DeviceNodes nodes, NpuSmi npuSmi) {
        this.nodes = nodes;
        this.npuSmi = npuSmi;
    }

    static Machine run(DeviceNodes nodes, NpuSmi npuSmi) {
        return new Detection(nodes, npuSmi).machine();
    }

    private Machine machine() {
        if (nodes.all().isEmpty()) {
            notes.add("there is no " + NODES + ": this machine has no NPU, or this container was given none");
            return new Machine(List.of(), Map.of(), NODES, notes);
        }
        if (!nodes.closed().isEmpty()) {
            notes.add(devices(nodes.closed()) + " left out: this process may not open "
                    + (nodes.closed().size() == 1 ? "its node" : "their nodes")
                    + ", by the permissions in /dev or the device rules of its cgroup");
        }
        if (nodes.open().isEmpty()) {
            return new Machine(List.of(), Map.of(), NODES, notes);
        }
        List<Chip> chips = chips();
        Map<Integer, Chip> listed = DeviceIds.match(chips, nodes.all());
        boolean agrees = !Collections.disjoint(listed.keySet(), nodes.open());
        if (!chips.isEmpty() && !agrees) {
            notes.add("what npu-smi lists does not agree with " + NODES);
        }
        return agrees ? ofChips(listed) : ofNodes();
    }

    private List<Chip> chips() {
        NpuSmi.Answer info = npuSmi.ask(List.of("info"));
        if (info.hasFailed()) {
            notes.add(info.problem());
            return List.of();
        }
        InfoTable table = InfoTable.parse(info.text());
        pairs = table.hasPhyIds();
        List<Chip> mapped = MappingTable.parse(further("-m"));
        if (table.chips().isEmpty()) {
            notes.add("what \"npu-smi info\" wrote was not understood"
                    + table.namedTwice()
                            .map(name -> ": its header names the column \"" + name + "\" twice")
                            .orElse("")
                    + (mapped.isEmpty()
                            ? ""
                            : "; devices are taken from \"npu-smi info -m\", their health is not known"));
            return mapped;
        }
        if (table.damaged() > 0) {
            notes.add("some lines of \"npu-smi info\" were not understood");
        }
        return table.chips().stream()
                .map(chip -> mapped.stream()
                        .filter(chip::isAt)
                        .findFirst()
                        .map(chip::withIdsOf)
                        .orElse(chip))
                .toList();
    }

    /** Asks for optional information; if there is no answer, detection continues without it. */
    private String further(String... options) {
        List<String> arguments = new ArrayList<>(List.of("info"));
        arguments.addAll(List.of(options));
        NpuSmi.Answer answer = npuSmi.ask(arguments);
        if (answer.hasFailed()) {
            notes.add(answer.problem());
        }
        return answer.text();
    }

    private Machine ofNodes() {
        String platform = nodes.platform();
        if (platform.isEmpty()) {
            notes.add(devices(nodes.open())
                    + " left out: the other nodes in /dev do not tell the platform, so npu-smi is needed");
            return new Machine(List.of(), Map.of(), NODES, notes);
        }
        notes.add("chips, health and links of the devices are not known: any may be leased together");
        Map<Integer, Integer> indexes = DeviceIds.indexes(Map.of(), nodes.open());
        List<NpuDevice> devices = new ArrayList<>();
        indexes.forEach(
                (id, index) -> devices.add(new NpuDevice(id, index, -1, -1, "", platform, NpuHealth.UNKNOWN, "", "")));
        return new Machine(devices, Map.of(platform, Topology.FLAT), NODES, notes);
    }

    private Machine ofChips(Map<Integer, Chip> listed) {
        noteStrangers(listed);
        boolean dual = pairs
                || listed.values().stream().anyMatch(chip -> chip.chip() == 1)
                || listed.values().stream().map(Chip::npu).distinct().count() < listed.size();
        int highestId = new TreeSet<>(listed.keySet()).last();
        Map<Integer, Integer> indexes = DeviceIds.indexes(listed, nodes.open());
        List<NpuDevice> devices = new ArrayList<>();
        SortedMap<Integer, MachineKind> kinds = new TreeMap<>();
        SortedMap<String, SortedSet<Integer>> unknown = new TreeMap<>();
        listed.forEach((id, chip) -> {
            Optional<MachineKind> kind = ChipTable.find(chip.name(), dual, highestId);
            if (kind.isEmpty()) {
                unknown.computeIfAbsent(chip.name(), name -> new TreeSet<>()).add(id);
            } else if (nodes.open().contains(id)) {
                kinds.put(id, kind.get());
                devices.add(device(
                        id, indexes.getOrDefault(id, id), chip, kind.get().platform()));
            }
        });
        unknown.forEach((name, ids) -> notes.add("chip \"" + name + "\" is not known: " + devices(ids) + " left out"));
        noteSick(devices);
        return new Machine(devices, topologies(devices, kinds), "npu-smi", notes);
    }

    private static NpuDevice device(int id, int index, Chip chip, String platform) {
        return new NpuDevice(
                id,
                index,
                chip.npu(),
                chip.chip(),
                chip.name(),
                platform,
                NpuHealth.of(chip.health()),
                chip.health(),
                chip.busId());
    }

    private Map<String, Topology> topologies(List<NpuDevice> devices, Map<Integer, MachineKind> kinds) {
        LinkTable links = LinkTable.parse(further("-t", "topo"));
        Map<String, List<NpuDevice>> byPlatform = devices.stream()
                .collect(Collectors.groupingBy(NpuDevice::platform, LinkedHashMap::new, Collectors.toList()));
        Map<String, Topology> topologies = new LinkedHashMap<>();
        byPlatform.forEach((platform, members) -> {
            List<MachineKind> found = members.stream()
                    .map(device -> kinds.get(device.id()))
                    .distinct()
                    .toList();
            if (found.size() > 1) {
                notes.add("the chips of " + platform + " are of several kinds: no rule holds for leases of them");
            }
            topologies.put(platform, found.size() == 1 ? Assembly.of(found.get(0), members, links) : Topology.FLAT);
        });
        return topologies;
    }

    private void noteStrangers(Map<Integer, Chip> listed) {
        SortedSet<Integer> withoutNode = new TreeSet<>(listed.keySet());
        withoutNode.removeAll(nodes.all());
        if (!withoutNode.isEmpty()) {
            notes.add(devices(withoutNode) + " left out: npu-smi lists " + (withoutNode.size() == 1 ? "it" : "them")
                    + ", but there is no such " + NODES);
        }
        SortedSet<Integer> withoutChip = new TreeSet<>(nodes.open());
        withoutChip.removeAll(listed.keySet());
        if (!withoutChip.isEmpty()) {
            notes.add(devices(withoutChip) + " left out: npu-smi does not list "
                    + (withoutChip.size() == 1 ? "it" : "them"));
        }
    }

    private void noteSick(List<NpuDevice> devices) {
        devices.stream()
                .filter(device -> !device.health().fit())
                .sorted(Comparator.comparingInt(NpuDevice::id))
                .forEach(device -> notes.add("device " + device.id() + " is in health " + device.healthText()
                        + ": it is used only where it is asked for by its id"));
    }

    private static String devices(SortedSet<Integer> ids) {
        boolean one = ids.size() == 1;
        return (one ? "device " : "devices ") + DeviceList.format(List.copyOf(ids)) + (one ? " is" : " are");
    }
}
