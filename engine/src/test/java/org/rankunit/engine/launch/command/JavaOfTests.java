package org.rankunit.engine.launch.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVMs that tests start, which live for seconds. */
public final class JavaOfTests {

    private JavaOfTests() {}

    /** Returns the start of a command, to which these arguments are added: a JVM that starts fast and never gets into its stride. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", StartOptions.FAST_COMPILER));
        command.addAll(List.of(arguments));
        return command;
    }
}
