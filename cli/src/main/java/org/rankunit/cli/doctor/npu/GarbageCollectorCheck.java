package org.rankunit.cli.doctor.npu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/**
 * Whether ranks on NPUs get a heap that leaves the driver its addresses.
 *
 * <p>The NPU driver reserves addresses from 16 to 24 TiB in each process, by its published sources. ZGC puts the heap into that region
 * too. That the two clash was not tried. Ranks take their options from the JVM that starts them, from
 * {@code rankunit.jvm-args} and from the environment; only the last two are known here.
 */
public record GarbageCollectorCheck(Host host) implements Check {

    private static final String USE_ZGC = "-XX:+UseZGC";
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");
    private static final String PROPERTY = "rankunit.jvm-args";

    @Override
    public String subject() {
        return "Collector";
    }

    @Override
    public Finding look() {
        if (!hasNpus()) {
            return Finding.ok("any will do: there are no NPUs");
        }
        return whereZgcIsChosen()
                .map(place -> Finding.warn(
                        place + " has " + USE_ZGC + ": on NPUs its heap may take addresses that the driver reserves",
                        "Use another collector for ranks on NPUs, such as -XX:+UseG1GC"))
                .orElseGet(() -> Finding.ok("neither " + PROPERTY + " nor the environment asks for ZGC"));
    }

    private Optional<String> whereZgcIsChosen() {
        Stream<String> variables =
                VARIABLES.stream().filter(name -> choosesZgc(host.environment().getOrDefault(name, "")));
        Stream<String> property = Stream.of(PROPERTY).filter(name -> choosesZgc(host.property(name)));
        return Stream.concat(property, variables).findFirst();
    }

    private static boolean choosesZgc(String options) {
        return List.of(options.strip().split("\\s+")).contains(USE_ZGC);
    }

    private boolean hasNpus() {
        try (Stream<Path> nodes = Files.list(host.at("/dev"))) {
            return nodes.anyMatch(node -> node.getFileName().toString().matches("davinci\\d{1,4}"));
        } catch (IOException none) {
            return false;
        }
    }
}
