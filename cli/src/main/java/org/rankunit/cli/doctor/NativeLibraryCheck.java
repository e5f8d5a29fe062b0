package org.rankunit.cli.doctor;

import java.util.Arrays;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.device.Device;

/**
 * Checks that RankUnit's native library can be loaded and works.
 *
 * @param trial throws if the library does not work
 */
record NativeLibraryCheck(Runnable trial) implements Check {

    private static final String SIMULATOR = "a2a3sim";

    /** Returns a check that copies data to a device of the simulator and back. */
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
                    "it returned " + Arrays.toString(received) + " instead of " + Arrays.toString(sent));
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
            return Finding.ok("its native library loads, and one of its devices works");
        } catch (RuntimeException | LinkageError e) {
            return Finding.fail(
                    "its native library does not work: " + e.getMessage(),
                    "If the temporary folder is mounted noexec, set another: -Djava.io.tmpdir=DIR; otherwise see"
                            + " System above");
        }
    }
}
