package org.rankunit.cli.doctor;

import java.util.Set;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Checks that this version of Java is supported. Ranks are started with the same JVM. */
record JavaCheck(Host host) implements Check {

    private static final int OLDEST = 17;
    private static final Set<Integer> SUPPORTED = Set.of(17, 21, 25);

    @Override
    public String subject() {
        return "Java";
    }

    @Override
    public Finding look() {
        String what = host.property("java.version") + " (" + host.property("java.vm.name") + ", "
                + host.property("java.home") + ")";
        int version = feature(host.property("java.specification.version"));
        if (SUPPORTED.contains(version)) {
            return Finding.ok(what);
        }
        return version < OLDEST
                ? Finding.fail(what, "Set JAVA_HOME to a JDK 17, 21 or 25")
                : Finding.warn(
                        what + " is not one of the supported versions 17, 21 and 25",
                        "Use one of these if a test behaves strangely");
    }

    private static int feature(String specification) {
        try {
            return Integer.parseInt(specification);
        } catch (NumberFormatException oldOrUnknown) {
            return 0;
        }
    }
}
