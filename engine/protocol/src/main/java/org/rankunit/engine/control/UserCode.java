package org.rankunit.engine.control;

import java.util.List;
import java.util.Set;

/** Distinguishes user code from the code of RankUnit, JUnit, Java, and libraries that call back. */
public final class UserCode {

    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.junit.",
            "org.opentest4j.",
            "org.hamcrest.",
            "org.assertj.",
            "org.awaitility.",
            "org.apiguardian.",
            "org.jspecify.",
            "com.fasterxml.jackson.core.",
            "kotlin.",
            "groovy.lang.",
            "org.codehaus.groovy.");

    /** Compared by full name: our own tests and samples are in neighbouring packages. */
    private static final Set<String> OUR_PACKAGES = Set.of(
            "org.rankunit",
            "org.rankunit.golden",
            "org.rankunit.golden.compare",
            "org.rankunit.golden.expect",
            "org.rankunit.golden.files",
            "org.rankunit.golden.mismatch",
            "org.rankunit.golden.model",
            "org.rankunit.golden.pattern",
            "org.rankunit.internal.numbers",
            "org.rankunit.coll.run",
            "org.rankunit.comm",
            "org.rankunit.comm.jna",
            "org.rankunit.comm.jna.load",
            "org.rankunit.comm.recorder",
            "org.rankunit.comm.trial",
            "org.rankunit.compare",
            "org.rankunit.device",
            "org.rankunit.device.running",
            "org.rankunit.graph",
            "org.rankunit.kernel",
            "org.rankunit.nodes",
            "org.rankunit.rounds",
            "org.rankunit.shake",
            "org.rankunit.engine.control",
            "org.rankunit.engine.control.files",
            "org.rankunit.engine.control.model",
            "org.rankunit.engine.control.place",
            "org.rankunit.engine.control.wire",
            "org.rankunit.engine.prepare.model",
            "org.rankunit.engine.rank",
            "org.rankunit.engine.rank.buffers",
            "org.rankunit.engine.rank.evidence",
            "org.rankunit.engine.rank.failure",
            "org.rankunit.engine.rank.files",
            "org.rankunit.engine.rank.parent",
            "org.rankunit.engine.rank.threads",
            "org.rankunit.engine.rank.threads.boot");

    private UserCode() {}

    /** Whether a class, given by its full name, belongs to the user. */
    public static boolean includes(String type) {
        return !isRankUnits(type) && LIBRARIES.stream().noneMatch(type::startsWith);
    }

    /** Whether a class, given by its full name, belongs to RankUnit or to JNA, which RankUnit uses to call native code. */
    public static boolean isRankUnits(String type) {
        String packageName = type.substring(0, Math.max(0, type.lastIndexOf('.')));
        return OUR_PACKAGES.contains(packageName)
                || type.startsWith("org.rankunit.coll.")
                || type.startsWith("org.rankunit.distributed.")
                || type.startsWith("org.rankunit.pe.")
                || type.startsWith("com.sun.jna.");
    }
}
