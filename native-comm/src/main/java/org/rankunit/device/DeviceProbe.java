package org.rankunit.device;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apiguardian.api.API;

/**
 * A program that checks whether a device works: opens it, copies data there and back, and synchronizes.
 *
 * <p>Arguments: platform and id. Exit status 0 means that the device works, 1 that it does not; the last line of the
 * output then says why. The program ends when its standard input is closed, so it does not outlive the process that
 * started it.
 */
@API(status = INTERNAL, since = "0.1")
public final class DeviceProbe {

    private static final int BYTES = 1 << 20;

    /**
     * System property: the runtime's numbers of devices, such as {@code 4:0,5:1}; a device that is not listed keeps its
     * id.
     */
    public static final String RUNTIME_IDS = "rankunit.runtime-ids";

    private DeviceProbe() {}

    public static void main(String[] arguments) {
        endWithInput();
        int status = 0;
        try {
            probe(arguments[0], Integer.parseInt(arguments[1]));
        } catch (RuntimeException | Error e) {
            System.out.println(String.valueOf(e.getMessage()).replace('\n', ' '));
            status = 1;
        }
        // A device that hangs may keep threads of the vendor's library alive forever.
        Runtime.getRuntime().halt(status);
    }

    private static void probe(String platform, int id) {
        byte[] sent = new byte[BYTES];
        new Random(id).nextBytes(sent);
        byte[] received = new byte[BYTES];
        try (Device device = Device.open(platform, id, runtimeId(id))) {
            long memory = device.allocate(BYTES);
            device.copyIn(memory, sent, 0, BYTES);
            device.synchronize();
            device.copyOut(memory, received, 0, BYTES);
            int wrong = Arrays.mismatch(sent, received);
            if (wrong >= 0) {
                throw new DeviceException(device + " gave back another byte at " + wrong + " of " + BYTES
                        + " than was copied there: " + received[wrong] + " instead of " + sent[wrong]);
            }
            device.free(memory);
        }
    }

    private static int runtimeId(int id) {
        for (String pair : System.getProperty(RUNTIME_IDS, "").split(",", -1)) {
            if (pair.startsWith(id + ":")) {
                return Integer.parseInt(pair.substring(pair.indexOf(':') + 1));
            }
        }
        return id;
    }

    private static void endWithInput() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // A probe ignores its input.
                }
            } catch (IOException e) {
                System.out.println("the probe's input broke: " + e.getMessage());
            }
            Runtime.getRuntime().halt(2);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
