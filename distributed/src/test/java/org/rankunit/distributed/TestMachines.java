package org.rankunit.distributed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.rankunit.distributed.pe.config.CclConfig;
import org.rankunit.distributed.pe.config.MachineConfig;

/** The configuration that tests share. */
public final class TestMachines {

    private TestMachines() {}

    public static MachineConfig machine() {
        return MachineConfig.parse("topology.yaml", resource("/topology.yaml"));
    }

    public static CclConfig ccl() {
        return CclConfig.parse("ccl.yaml", resource("/ccl.yaml"));
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(TestMachines.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
