package org.rankunit.engine.protocol;

import java.util.List;

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

    private static final String ROOT = "org.rankunit.";

    /** The packages of RankUnit that run in ranks, with those inside them. Users' tests, and our own, may have neighbours of these. */
    private static final List<String> OURS = List.of(
            "org.rankunit.collective.",
            "org.rankunit.comm.",
            "org.rankunit.compare.",
            "org.rankunit.device.",
            "org.rankunit.distributed.",
            "org.rankunit.engine.config.",
            "org.rankunit.engine.prepare.",
            "org.rankunit.engine.protocol.",
            "org.rankunit.engine.rank.",
            "org.rankunit.golden.",
            "org.rankunit.graph.",
            "org.rankunit.internal.",
            "com.sun.jna.");

    private UserCode() {}

    /** Whether a class, given by its full name, belongs to the user. */
    public static boolean includes(String type) {
        return !isRankUnits(type) && LIBRARIES.stream().noneMatch(type::startsWith);
    }

    /** Whether a class, given by its full name, belongs to RankUnit or to JNA, which RankUnit uses to call native code. */
    public static boolean isRankUnits(String type) {
        boolean isInTheRoot = type.startsWith(ROOT) && type.indexOf('.', ROOT.length()) < 0;
        return isInTheRoot || OURS.stream().anyMatch(type::startsWith);
    }
}
