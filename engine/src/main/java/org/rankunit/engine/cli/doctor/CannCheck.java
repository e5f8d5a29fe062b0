package org.rankunit.engine.cli.doctor;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whether the vendor's libraries for programs are there. They are not loaded. */
record CannCheck(Host host) implements Check {

    private static final List<String> LIBRARIES = List.of("libascendcl.so", "libhccl.so");
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
        List<String> found = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String library : LIBRARIES) {
            Optional<String> folder = folders.stream()
                    .filter(each -> Files.isReadable(host.at(each).resolve(library)))
                    .findFirst();
            folder.ifPresentOrElse(each -> found.add(each + "/" + library), () -> missing.add(library));
        }
        return missing.isEmpty()
                ? Finding.ok(String.join(", ", found))
                : Finding.warn(
                        "no " + String.join(" and no ", missing) + ": only the simulator is there",
                        "For NPUs install the CANN toolkit, and source its set_env.sh. Looked in "
                                + String.join(", ", folders));
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
