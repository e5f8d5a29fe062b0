package org.rankunit.cli.doctor.npu;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Checks that the vendor's driver and npu-smi are installed. Calls neither. */
public record DriverCheck(Host host) implements Check {

    private static final List<String> LIBRARIES = List.of(
            "/usr/local/Ascend/driver/lib64/driver/libascend_hal.so",
            "/usr/local/Ascend/driver/lib64/common/libascend_hal.so",
            "/usr/local/Ascend/driver/lib64/libascend_hal.so");

    @Override
    public String subject() {
        return "Driver";
    }

    @Override
    public Finding look() {
        List<String> missing = new ArrayList<>();
        Optional<String> library = LIBRARIES.stream()
                .filter(each -> Files.isReadable(host.at(each)))
                .findFirst();
        if (library.isEmpty()) {
            missing.add("libascend_hal.so below /usr/local/Ascend/driver/lib64");
        }
        Optional<String> program = Stream.concat(
                        Stream.of(host.environment().getOrDefault("PATH", "").split(":")),
                        Stream.of("/usr/local/bin", "/usr/local/sbin"))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> folder + "/npu-smi")
                .filter(each -> Files.isExecutable(host.at(each)))
                .findFirst();
        if (program.isEmpty()) {
            missing.add("npu-smi on the PATH");
        }
        return missing.isEmpty()
                ? Finding.ok(library.orElseThrow() + ", " + program.orElseThrow())
                : Finding.warn(
                        "no " + String.join(", no ", missing),
                        "For NPUs, install the driver; in a container, mount it together with npu-smi");
    }
}
