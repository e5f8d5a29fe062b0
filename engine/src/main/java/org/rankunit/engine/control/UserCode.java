package org.rankunit.engine.control;

import java.util.List;
import java.util.Set;

/** Tells code of the user from that of RankUnit, of JUnit, of Java, and of libraries that call back. */
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
            "kotlin.",
            "groovy.lang.",
            "org.codehaus.groovy.");

    /** By their whole names: our own tests and samples lie in packages beside these. */
    private static final Set<String> OUR_PACKAGES = Set.of(
            "org.rankunit",
            "org.rankunit.golden",
            "org.rankunit.comm",
            "org.rankunit.comm.jna",
            "org.rankunit.device",
            "org.rankunit.engine.control",
            "org.rankunit.engine.rank");

    private UserCode() {}

    /** Whether a class, by its full name, is the user's. */
    public static boolean includes(String type) {
        return !isRankUnits(type) && LIBRARIES.stream().noneMatch(type::startsWith);
    }

    /** Whether a class, by its full name, is RankUnit's or of JNA, by which it calls native code. */
    public static boolean isRankUnits(String type) {
        String packageName = type.substring(0, Math.max(0, type.lastIndexOf('.')));
        return OUR_PACKAGES.contains(packageName) || type.startsWith("com.sun.jna.");
    }
}
