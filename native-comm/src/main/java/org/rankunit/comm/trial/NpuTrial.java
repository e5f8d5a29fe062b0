package org.rankunit.comm.trial;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.apiguardian.api.API;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Domain;
import org.rankunit.comm.Rendezvous;
import org.rankunit.comm.WindowView;
import org.rankunit.device.Device;

/**
 * Tries, step by step, what tests need of a device and of a communicator, in one process per rank. Prints each result as
 * {@code ok} or {@code fail}, subject and text, separated by tabs. Exits at the first failure, with status 1.
 *
 * <p>Arguments: platform, id of the device, its id in the runtime, rank, number of ranks, rendezvous file.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class NpuTrial {

    private static final int BYTES = 1 << 20;
    private static final long WINDOW = 4L << 20;
    private static final int BARRIERS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final int rank;
    private final int worldSize;
    private String subject = "device";

    private NpuTrial(int rank, int worldSize) {
        this.rank = rank;
        this.worldSize = worldSize;
    }

    public static void main(String[] arguments) {
        NpuTrial trial = new NpuTrial(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        int status = 0;
        try {
            trial.run(
                    arguments[0],
                    Integer.parseInt(arguments[1]),
                    Integer.parseInt(arguments[2]),
                    Path.of(arguments[5]));
        } catch (RuntimeException | Error e) {
            trial.say("fail", String.valueOf(e.getMessage()));
            status = 1;
        }
        // A device that hangs may keep threads of the vendor's library alive forever.
        Runtime.getRuntime().halt(status);
    }

    private void run(String platform, int id, int runtimeId, Path meeting) {
        try (Device device = Device.open(platform, id, runtimeId)) {
            say("ok", device + " is number " + runtimeId + " of its runtime: " + device.describe());
            memory(device);
            communicator(device, meeting);
            subject = "tear-down";
        }
        say("ok", "device and communicator closed in order");
    }

    private void memory(Device device) {
        subject = "memory";
        byte[] sent = new byte[BYTES];
        new Random(device.id()).nextBytes(sent);
        byte[] received = new byte[BYTES];
        long first = device.allocate(BYTES);
        long second = device.allocate(BYTES);
        device.copyIn(first, sent, 0, BYTES);
        device.copy(second, first, BYTES);
        device.synchronize();
        device.copyOut(second, received, 0, BYTES);
        require(Arrays.equals(sent, received), "memory gave back other bytes than were copied there");
        device.zero(second, BYTES);
        device.copyOut(second, received, 0, BYTES);
        require(Arrays.equals(new byte[BYTES], received), "memory is not zero after it was set to zero");
        device.free(second);
        device.free(first);
        say("ok", "1 MiB in, across, out and zeroed; addresses " + (first % 64 == 0 ? "" : "NOT ") + "aligned to 64");
    }

    private void communicator(Device device, Path meeting) {
        subject = "bring-up";
        long start = System.nanoTime();
        CommunicatorConfig config =
                new CommunicatorConfig(rank, worldSize, new Rendezvous.File(meeting), WINDOW, PATIENCE);
        try (Communicator comm = Communicator.open(config, device)) {
            say(
                    "ok",
                    "rank " + rank + " of " + worldSize + " in " + millis(start) + "; windows of " + comm.windowSize()
                            + " bytes: " + comm.describe());
            windows(comm);
            barriers(comm);
            domain(comm);
            subject = "tear-down";
        }
    }

    private void windows(Communicator comm) {
        subject = "windows";
        int next = (rank + 1) % worldSize;
        WindowView own = comm.window(rank);
        byte[] zero = new byte[BYTES];
        byte[] found = new byte[BYTES];
        own.get(comm.windowSize() - BYTES, found);
        require(Arrays.equals(zero, found), "a new window is not zero");
        comm.barrier();
        comm.window(next).put(0, pattern(rank));
        comm.barrier();
        own.get(0, found);
        require(
                Arrays.equals(pattern((rank + worldSize - 1) % worldSize), found),
                "what the rank before wrote to this window is not there after a barrier");
        comm.window(next).slice(0, BYTES).copyTo(own.slice(BYTES, BYTES));
        own.get(BYTES, found);
        require(
                Arrays.equals(pattern(rank), found),
                "what was copied from the next rank's window is not what lies there");
        comm.barrier();
        say("ok", "zero at first; written by the rank before, read from the next one");
    }

    private void barriers(Communicator comm) {
        subject = "barrier";
        long start = System.nanoTime();
        for (int i = 0; i < BARRIERS; i++) {
            comm.barrier();
        }
        say("ok", BARRIERS + " in " + millis(start));
    }

    private void domain(Communicator comm) {
        subject = "domain";
        int[] ranks = new int[worldSize];
        Arrays.setAll(ranks, place -> worldSize - 1 - place);
        try (Domain domain = comm.domain(WINDOW, ranks)) {
            domain.window((domain.rank() + 1) % worldSize).putInt(0, rank + 1);
            domain.barrier();
            int before = domain.communicatorRank((domain.rank() + worldSize - 1) % worldSize);
            require(
                    domain.window(domain.rank()).getInt(0) == before + 1,
                    "what another rank wrote to a domain's window is not there after its barrier");
            domain.barrier();
        }
        say("ok", "second windows made, written and taken away");
    }

    private static byte[] pattern(int rank) {
        byte[] bytes = new byte[BYTES];
        new Random(1000L + rank).nextBytes(bytes);
        return bytes;
    }

    private static String millis(long start) {
        return String.format(Locale.ROOT, "%.1f ms", (System.nanoTime() - start) / 1e6);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    private void say(String how, String text) {
        System.out.println(how + "\t" + subject + "\t" + text.strip().replaceAll("\\s*\\R\\s*", "; "));
        System.out.flush();
    }
}
