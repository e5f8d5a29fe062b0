package org.rankunit.cli.doctor.machine;

import java.util.Map;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Checks that there are native libraries for this operating system and processor. */
public record SystemCheck(Host host) implements Check {

    private static final Map<String, String> PROCESSORS =
            Map.of("amd64", "x86-64", "x86_64", "x86-64", "aarch64", "aarch64");

    @Override
    public String subject() {
        return "System";
    }

    @Override
    public Finding look() {
        String system = host.property("os.name");
        String processor = host.property("os.arch");
        String what =
                system + " " + host.property("os.version") + " on " + PROCESSORS.getOrDefault(processor, processor);
        return system.equals("Linux") && PROCESSORS.containsKey(processor)
                ? Finding.ok(what)
                : Finding.fail(what, "Use Linux on x86-64 or aarch64");
    }
}
