package org.rankunit.pool.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rankunit.pool.inventory.DeviceList;
import org.rankunit.pool.machine.npusmi.Chip;

/** Reads the environment variables in each of the forms that {@link Grant} describes. */
final class EnvironmentGrant {

    private static final String RUNTIME = "ASCEND_RT_VISIBLE_DEVICES";
    private static final String CONTAINER = "ASCEND_VISIBLE_DEVICES";
    private static final Pattern WITH_CHIP = Pattern.compile("Ascend\\w+-(\\d{1,4})");

    private final Machine machine;
    private final String source;
    private final Set<Integer> devices = new TreeSet<>();
    private final List<String> notes = new ArrayList<>();

    EnvironmentGrant(Machine machine, String source) {
        this.machine = machine;
        this.source = source;
    }

    static Grant of(Machine machine, Map<String, String> environment) {
        if (machine.devices().isEmpty()) {
            return new EnvironmentGrant(machine, Grant.ALL).all();
        }
        String runtime = environment.get(RUNTIME);
        if (runtime != null) {
            return new EnvironmentGrant(machine, Grant.quoted(RUNTIME, runtime)).asRuntime(runtime);
        }
        String container = environment.getOrDefault(CONTAINER, "");
        if (!container.isBlank()) {
            return new EnvironmentGrant(machine, Grant.quoted(CONTAINER, container)).asContainer(container.strip());
        }
        return SlurmGrant.of(machine, environment).orElseGet(() -> new EnvironmentGrant(machine, Grant.ALL).all());
    }

    Grant all() {
        devices.addAll(machine.ids());
        return granted();
    }

    Grant none(String why) {
        note(why);
        return granted();
    }

    /** Grants devices by their places; places without a device of a known chip are left out, with a note. */
    Grant places(List<Integer> places) {
        places.forEach(place -> deviceAt(place)
                .ifPresentOrElse(devices::add, () -> note("no device that can be used has place " + place)));
        return granted();
    }

    void note(String what) {
        notes.add(source + ": " + what);
    }

    private Grant asRuntime(String value) {
        return places(runtimePlaces(value));
    }

    /** The places that the runtime reads; adds a note if it stops early. */
    private List<Integer> runtimePlaces(String value) {
        int highest =
                machine.devices().stream().mapToInt(NpuDevice::index).max().orElse(-1);
        List<Integer> places = new ArrayList<>();
        for (String part : value.split(",", -1)) {
            Integer place = Chip.number(part);
            int last = places.isEmpty() ? -1 : places.get(places.size() - 1);
            if (place == null || place <= last || place > highest) {
                note("the runtime stops reading at \"" + part + "\", since "
                        + (place == null
                                ? "it is not a number"
                                : place <= last ? "numbers must ascend" : "places here end at " + highest));
                break;
            }
            places.add(place);
        }
        return places;
    }

    static Map<Integer, Integer> runtimeIds(Machine machine, Map<String, String> environment) {
        String visible = environment.get(RUNTIME);
        List<Integer> places =
                visible == null ? List.of() : new EnvironmentGrant(machine, RUNTIME).runtimePlaces(visible);
        Map<Integer, Integer> ids = new TreeMap<>();
        for (NpuDevice device : machine.devices()) {
            int number = visible == null ? device.index() : places.indexOf(device.index());
            if (number >= 0) {
                ids.put(device.id(), number);
            }
        }
        return ids;
    }

    private Grant asContainer(String value) {
        if (value.equals("void")) {
            return none("the container was given no device");
        }
        SortedSet<Integer> missing = new TreeSet<>();
        for (String part : value.split(",", -1)) {
            Matcher withChip = WITH_CHIP.matcher(part.strip());
            try {
                for (int id : DeviceList.parse(withChip.matches() ? withChip.group(1) : part)) {
                    (machine.ids().contains(id) ? devices : missing).add(id);
                }
            } catch (IllegalArgumentException e) {
                note("\"" + part.strip() + "\" is neither a device nor a range of them");
            }
        }
        if (!missing.isEmpty()) {
            note(Grant.are(List.copyOf(missing)) + " not among those that can be used here ("
                    + DeviceList.format(machine.ids()) + ")");
        }
        return granted();
    }

    private Optional<Integer> deviceAt(int place) {
        return machine.devices().stream()
                .filter(device -> device.index() == place)
                .map(NpuDevice::id)
                .findFirst();
    }

    private Grant granted() {
        return new Grant(source, List.copyOf(devices), false, notes);
    }
}
