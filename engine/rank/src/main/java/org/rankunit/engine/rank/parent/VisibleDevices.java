package org.rankunit.engine.rank.parent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The devices of a node that a variable lists.
 *
 * @param value the whole value of the variable, for messages
 */
record VisibleDevices(String variable, String value, List<Integer> ids) {

    private static final int HIGHEST_ID = 9999;

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    /** Reads ids and ranges: {@code 0,2-4}. */
    static VisibleDevices parse(String variable, String value) {
        return list(variable, value, value);
    }

    /** Reads a list as the runtime does, which stops at a range, and at an id that is not above the one before. */
    static VisibleDevices ofRuntime(String variable, String value) {
        VisibleDevices devices = list(variable, value, value);
        boolean isSorted = devices.ids().stream().sorted().toList().equals(devices.ids());
        if (value.contains("-") || !isSorted) {
            throw bad(variable, value, "the vendor's runtime reads only single ids in ascending order");
        }
        return devices;
    }

    /** Reads the list of one node: {@code node1=0,1;node2=4,5}. */
    static VisibleDevices ofNode(String variable, String value, String node) {
        for (String entry : value.split(";", -1)) {
            if (entry.startsWith(node + "=")) {
                return list(variable, value, entry.substring(node.length() + 1));
            }
        }
        throw bad(variable, value, "it has no devices of " + node);
    }

    /** @throws IllegalArgumentException if there are fewer */
    int at(int place, String node) {
        if (place >= ids.size()) {
            throw bad(
                    variable,
                    value,
                    "task " + place + " of " + node + " has no device, since tasks are counted from 0 and "
                            + (ids.size() == 1 ? "1 device is" : ids.size() + " devices are") + " listed for " + node
                            + ".\nRequest as many devices as tasks on every node");
        }
        return ids.get(place);
    }

    private static VisibleDevices list(String variable, String value, String list) {
        List<Integer> ids = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            Matcher matcher = RANGE.matcher(part.strip());
            if (!matcher.matches()) {
                throw bad(variable, value, "\"" + part + "\" is neither the id of a device nor a range of ids");
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (last < first || last > HIGHEST_ID) {
                throw bad(variable, value, "\"" + part + "\" is not a range of ids from 0 to " + HIGHEST_ID);
            }
            for (int id = first; id <= last; id++) {
                if (ids.contains(id)) {
                    throw bad(variable, value, "it lists device " + id + " twice");
                }
                ids.add(id);
            }
        }
        return new VisibleDevices(variable, value, List.copyOf(ids));
    }

    private static IllegalArgumentException bad(String variable, String value, String what) {
        return new IllegalArgumentException(variable + " = \"" + value + "\": " + what + ".");
    }
}
