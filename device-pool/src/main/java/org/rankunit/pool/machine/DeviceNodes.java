package org.rankunit.pool.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The vendor's nodes in {@code /dev}. None is opened.
 *
 * <p>To check whether this process could open a node, this uses {@code access(2)}, which respects the device rules of
 * cgroups as well as permissions. So a job that Slurm confines with {@code ConstrainDevices} does not see the devices
 * of other jobs, although their nodes exist.
 *
 * @param open ids of devices that this process may open for reading and writing
 * @param closed ids of devices that it may not open
 * @param others names of all other nodes
 */
record DeviceNodes(SortedSet<Integer> open, SortedSet<Integer> closed, Set<String> others) {

    private static final Pattern DAVINCI = Pattern.compile("davinci(\\d{1,4})");

    static DeviceNodes below(Path root) {
        DeviceNodes nodes = new DeviceNodes(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(root.resolve("dev"))) {
            paths.forEach(nodes::add);
        } catch (IOException | DirectoryIteratorException e) {
            // If /dev cannot be listed, there are no devices.
        }
        return nodes;
    }

    private void add(Path node) {
        String name = node.getFileName().toString();
        Matcher matcher = DAVINCI.matcher(name);
        if (!matcher.matches()) {
            others.add(name);
        } else if (Files.isReadable(node) && Files.isWritable(node)) {
            open.add(Integer.parseInt(matcher.group(1)));
        } else {
            closed.add(Integer.parseInt(matcher.group(1)));
        }
    }

    SortedSet<Integer> all() {
        SortedSet<Integer> all = new TreeSet<>(open);
        all.addAll(closed);
        return all;
    }

    /**
     * Infer the platform from the nodes that its driver needs: A5 has {@code uburma} or {@code ummu} and no
     * {@code devmm_svm}.
     *
     * @return the platform; empty if the nodes do not identify it
     */
    String platform() {
        if (others.contains("uburma") || others.contains("ummu")) {
            return ChipTable.A5;
        }
        if (others.contains("devmm_svm")) {
            return ChipTable.A2A3;
        }
        return others.contains("davinci_manager") && others.contains("hisi_hdc") ? ChipTable.A5 : "";
    }
}
