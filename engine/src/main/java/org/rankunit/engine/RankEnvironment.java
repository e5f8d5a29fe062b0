package org.rankunit.engine;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.junit.platform.engine.ConfigurationParameters;
import org.rankunit.engine.config.ConfigKey;

/** What ranks inherit from this JVM: system properties, and parameters for Jupiter. */
final class RankEnvironment {

    /** Prefixes of properties that a JVM sets for itself, or a build tool for the process it forked; not inherited. */
    private static final List<String> OWN = List.of(
            "java.",
            "sun.",
            "jdk.",
            "os.",
            "user.",
            "file.",
            "path.",
            "line.",
            "awt.",
            "native.",
            "stdout.",
            "stderr.",
            "surefire.",
            "com.sun.management.",
            "rankunit.");

    private static final String RANDOM_SEED = "junit.jupiter.execution.order.random.seed";

    /** The severity of discovery issues was already decided in this JVM, which discovered all tests. */
    private static final String DISCOVERY_ISSUES = "junit.platform.discovery.issue.";

    private static final String TIMEOUT_MODE = "junit.jupiter.execution.timeout.mode";

    private RankEnvironment() {}

    static Map<String, String> properties(Properties all) {
        Map<String, String> result = new HashMap<>();
        for (String name : all.stringPropertyNames()) {
            if (OWN.stream().noneMatch(name::startsWith)) {
                result.put(name, all.getProperty(name));
            }
        }
        return result;
    }

    static Map<String, String> parameters(ConfigurationParameters all, boolean debugging) {
        Map<String, String> result = new HashMap<>();
        for (String name : all.keySet()) {
            Optional<String> value = all.get(name);
            if (!name.startsWith("rankunit.") && !name.startsWith(DISCOVERY_ISSUES) && value.isPresent()) {
                result.put(name, value.get());
            }
        }
        testParameters(all).forEach(name -> all.get(name).ifPresent(value -> result.put(name, value)));
        if (debugging) {
            // Jupiter would notice a debugger only in the rank that has one, but the other ranks wait for that rank.
            result.putIfAbsent(TIMEOUT_MODE, "disabled");
        }
        // All ranks must use the same random order; Jupiter's default seed differs from JVM to JVM.
        if (all.get(RANDOM_SEED).isEmpty()) {
            result.put(RANDOM_SEED, Long.toString(new Random().nextLong()));
        }
        return result;
    }

    /** The names of the parameters that tests read. JUnit can look up system properties, but does not list them. */
    private static Set<String> testParameters(ConfigurationParameters all) {
        Set<String> names = new HashSet<>(all.keySet());
        names.addAll(System.getProperties().stringPropertyNames());
        names.removeIf(name -> !ConfigKey.isParameter(name));
        return names;
    }
}
