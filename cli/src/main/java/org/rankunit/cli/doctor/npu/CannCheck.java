package org.rankunit.cli.doctor.npu;

import java.nio.file.Files;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Checks that the vendor's libraries for programs are present. Does not load them. */
public record CannCheck(Host host) implements Check {

    /** The runtime: either will do, the first is the older one. */
    private static final List<String> RUNTIMES = List.of("libascendcl.so", "libacl_rt.so");

    private static final String COMMUNICATION = "libhccl.so";
    private static final List<String> HOMES = List.of("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME");
    private static final List<String> USUAL =
            List.of("/usr/local/Ascend/ascend-toolkit/latest/lib64", "/usr/local/Ascend/cann/lib64");

    @Override
    public String subject() {
        return "CANN";
    }

    @Override
    public Finding look() {
        Set<String> folders = folders();
        Optional<String> runtime = RUNTIMES.stream()
                .flatMap(library -> find(library, folders).stream())
                .findFirst();
        Optional<String> communication = find(COMMUNICATION, folders);
        if (runtime.isEmpty()) {
            return Finding.warn(
                    "no " + String.join(" or ", RUNTIMES) + ": only the simulator is available",
                    "For NPUs, install the CANN toolkit and source its set_env.sh. Looked in "
                            + String.join(", ", folders));
        }
        return communication
                .map(hccl -> Finding.ok(runtime.get() + ", " + hccl))
                .orElseGet(() -> Finding.warn(
                        runtime.get() + ", but no " + COMMUNICATION + ": windows cannot be HCCL's buffers",
                        "That is the last way in which ranks share windows; a machine with another way does not need it. Looked in "
                                + String.join(", ", folders)));
    }

    private Optional<String> find(String library, Set<String> folders) {
        return folders.stream()
                .filter(folder -> Files.isReadable(host.at(folder).resolve(library)))
                .map(folder -> folder + "/" + library)
                .findFirst();
    }

    private Set<String> folders() {
        Stream<String> loader =
                Stream.of(host.environment().getOrDefault("LD_LIBRARY_PATH", "").split(":"));
        Stream<String> homes = HOMES.stream()
                .map(name -> host.environment().getOrDefault(name, ""))
                .map(home -> home.isEmpty() ? "" : home + "/lib64");
        Set<String> folders = new LinkedHashSet<>();
        Stream.of(loader, homes, USUAL.stream())
                .flatMap(each -> each)
                .filter(folder -> folder.startsWith("/"))
                .forEach(folders::add);
        return folders;
    }
}
