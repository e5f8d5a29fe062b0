package org.rankunit.engine.cli.doctor;

import java.util.Arrays;
import org.rankunit.device.Device;

/**
 * Whether our own native library can be loaded and does its work.
 *
 * @param trial throws if it does not
 */
record NativeLibraryCheck(Runnable trial) implements Check {

    private static final String SIMULATOR = "a2a3sim";

    /** With a device of the simulator: copies there and back. */
    static NativeLibraryCheck ofSimulator() {
        return new NativeLibraryCheck(NativeLibraryCheck::useSimulator);
    }

    private static void useSimulator() {
        byte[] sent = {1, 2, 3, 4};
        byte[] received = new byte[sent.length];
        try (Device device = Device.open(SIMULATOR, 0)) {
            long memory = device.allocate(sent.length);
            device.copyIn(memory, sent, 0, sent.length);
            device.copyOut(memory, received, 0, sent.length);
            device.free(memory);
        }
        if (!Arrays.equals(sent, received)) {
            throw new IllegalStateException(
                    "it gave back " + Arrays.toString(received) + " for " + Arrays.toString(sent));
        }
    }

    @Override
    public String subject() {
        return "Simulator";
    }

    @Override
    public Finding look() {
        try {
            trial.run();
            return Finding.ok("its native library is loaded, and a device of it works");
        } catch (RuntimeException | LinkageError e) {
            return Finding.fail(
                    "its native library does not work: " + e.getMessage(),
                    "If the temporary folder is mounted noexec, give another: -Djava.io.tmpdir=DIR; else see System above");
        }
    }
}
