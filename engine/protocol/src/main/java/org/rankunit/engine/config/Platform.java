package org.rankunit.engine.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All platforms, in the order in which {@code auto} prefers them. */
public enum Platform {
    A2A3("a2a3", false),
    A5("a5", false),
    A2A3SIM("a2a3sim", true),
    A5SIM("a5sim", true);

    private final String id;
    private final boolean simulator;

    Platform(String id, boolean simulator) {
        this.id = id;
        this.simulator = simulator;
    }

    public String id() {
        return id;
    }

    public boolean isSimulator() {
        return simulator;
    }

    public static Optional<Platform> named(String id) {
        return Arrays.stream(values()).filter(p -> p.id.equals(id)).findFirst();
    }

    /** Returns all names, for messages. */
    public static String known() {
        return Arrays.stream(values()).map(Platform::id).collect(Collectors.joining(", "));
    }

    /** Returns all platforms, hardware first. */
    public static List<Platform> all() {
        return List.of(values());
    }
}
