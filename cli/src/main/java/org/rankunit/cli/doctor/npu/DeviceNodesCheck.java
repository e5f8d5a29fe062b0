package org.rankunit.cli.doctor.npu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.pool.inventory.DeviceList;

/** Checks that there are device nodes of NPUs, and that this process may open them. Opens none. */
public record DeviceNodesCheck(Host host) implements Check {

    /** No NPU can be used without these; in a container the first may have another name. */
    private static final List<List<String>> NEEDED =
            List.of(List.of("davinci_manager", "davinci_manager_docker"), List.of("hisi_hdc"));

    @Override
    public String subject() {
        return "Device nodes";
    }

    @Override
    public Finding look() {
        List<Integer> open = new ArrayList<>();
        List<Integer> closed = new ArrayList<>();
        for (Path node : nodes()) {
            int id = Integer.parseInt(node.getFileName().toString().substring("davinci".length()));
            (mayOpen(node) ? open : closed).add(id);
        }
        if (open.isEmpty() && closed.isEmpty()) {
            return Finding.warn(
                    "no /dev/davinci*: only the simulator is available",
                    "For NPUs, give this process the nodes of its devices, for example with docker run"
                            + " --device=/dev/davinci0");
        }
        List<String> wrong = new ArrayList<>();
        if (!closed.isEmpty()) {
            wrong.add("may not open /dev/davinci" + DeviceList.format(closed));
        }
        NEEDED.stream()
                .filter(names -> names.stream().noneMatch(name -> mayOpen(host.at("/dev/" + name))))
                .forEach(names -> wrong.add("may not open /dev/" + names.get(0)));
        String nodes = "/dev/davinci" + DeviceList.format(open) + " can be opened";
        return wrong.isEmpty()
                ? Finding.ok(nodes)
                : Finding.warn(
                        (open.isEmpty() ? "" : nodes + ", but ") + "this process " + String.join(", ", wrong),
                        "Add the user to the group of these nodes, such as HwHiAiUser, or give the container its"
                                + " devices");
    }

    private List<Path> nodes() {
        try (Stream<Path> all = Files.list(host.at("/dev"))) {
            return all.filter(node -> node.getFileName().toString().matches("davinci\\d{1,4}"))
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    private static boolean mayOpen(Path node) {
        return Files.isReadable(node) && Files.isWritable(node);
    }
}
