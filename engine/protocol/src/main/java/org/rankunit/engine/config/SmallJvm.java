package org.rankunit.engine.config;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/** A JVM with a minimal class path, for main classes of native-comm. */
public final class SmallJvm {

    private SmallJvm() {}

    /** The command line up to and including the main class. */
    public static List<String> command(Class<?> main, String... options) {
        Set<String> classPath = new LinkedHashSet<>();
        for (String needed : List.of(main.getName(), "com.sun.jna.Native", API.class.getName())) {
            locationOf(needed).ifPresent(classPath::add);
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", String.join(":", classPath), main.getName()));
        return command;
    }

    /** The folder or jar of a class, given by name since this module may not refer to some of them in code. */
    private static Optional<String> locationOf(String className) {
        try {
            CodeSource source = Class.forName(className, false, SmallJvm.class.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource();
            return source == null
                    ? Optional.empty()
                    : Optional.of(Path.of(source.getLocation().toURI()).toString());
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IllegalStateException("cannot tell where " + className + " is", e);
        }
    }
}
