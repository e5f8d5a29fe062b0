package org.rankunit.device.running;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The file in which a process on a simulator notes which kernels run on its threads; {@code device/cores/running.h} describes it.
 * Thread-safe, also while the process writes: a kernel that begins or ends during a look is left out.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class RunningKernels {

    /** "RUNNING1", in the byte order of this machine, which has made the file. */
    private static final long MAGIC = 0x31474e494e4e5552L;

    private static final int HEADER_BYTES = 64;
    private static final int AT_SLOTS = 8;
    private static final int AT_SLOT_BYTES = 12;
    private static final int AT_FATAL_THREAD = 16;
    private static final int AT_EXIT_THREAD = 20;
    private static final int AT_ENDING_SIGNAL = 24;

    private static final int AT_WAITS = 4;
    private static final int AT_BEGAN = 8;
    private static final int AT_POLLED = 16;
    private static final int AT_TASK = 24;
    private static final int AT_OF_TASK = 32;
    private static final int AT_WHAT = 36;
    private static final int AT_CORE = 40;
    private static final int AT_BLOCK = 44;
    private static final int AT_BLOCKS = 48;
    private static final int AT_NAME = 56;
    private static final int AT_TASK_NAME = 152;
    private static final int AT_WITHIN = 216;
    private static final int END_OF_WITHIN = 472;

    /** A task in a ring has the number of the ring in the upper bits of its number. */
    private static final int RING_SHIFT = 56;

    private static final int FREE = 0;
    private static final int BEING_FILLED = -1;
    private static final int VECTOR = 0;
    private static final int CUBE = 1;
    private static final int ORCHESTRATION = 3;

    private final ByteBuffer file;
    private final int slots;
    private final int slotBytes;

    private RunningKernels(ByteBuffer file) throws IOException {
        this.file = file.order(ByteOrder.nativeOrder());
        if (file.capacity() < HEADER_BYTES || file.getLong(0) != MAGIC) {
            throw new IOException("this is not a file of running kernels");
        }
        this.slots = file.getInt(AT_SLOTS);
        this.slotBytes = file.getInt(AT_SLOT_BYTES);
        if (slotBytes < END_OF_WITHIN || slots < 0 || file.capacity() < HEADER_BYTES + (long) slots * slotBytes) {
            throw new IOException("the file of running kernels is incomplete");
        }
    }

    /** Maps the file of a process that lives, whose kernels change between two looks. */
    public static RunningKernels map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new RunningKernels(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
    }

    /** Reads the file of a process that has ended; empty if that has noted nothing. */
    public static Optional<RunningKernels> read(Path file) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) == 0) {
            return Optional.empty();
        }
        return Optional.of(new RunningKernels(ByteBuffer.wrap(Files.readAllBytes(file))));
    }

    /** The kernels that run, or that ran when the process ended. */
    public List<RunningKernel> kernels() {
        List<RunningKernel> running = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            int at = HEADER_BYTES + slot * slotBytes;
            int thread = file.getInt(at);
            if (thread != FREE && thread != BEING_FILLED) {
                RunningKernel kernel = kernelAt(slot, at, thread);
                if (file.getInt(at) == thread && file.getLong(at + AT_BEGAN) == kernel.beganNanos()) {
                    running.add(kernel);
                }
            }
        }
        return running;
    }

    /** The thread that has ended the process by {@code abort} or {@code exit}; 0 if none has. */
    public int endingThread() {
        int aborted = file.getInt(AT_FATAL_THREAD);
        return aborted != 0 ? aborted : file.getInt(AT_EXIT_THREAD);
    }

    /** Whether a signal has asked the process to end, which then ends unless the program handles that signal otherwise. */
    public boolean isAskedToEnd() {
        return file.getInt(AT_ENDING_SIGNAL) != 0;
    }

    private RunningKernel kernelAt(int slot, int at, int thread) {
        long began = file.getLong(at + AT_BEGAN);
        return new RunningKernel(
                slot,
                thread,
                text(at + AT_NAME, at + AT_TASK_NAME),
                whereAt(at),
                file.getInt(at + AT_WAITS) != 0,
                began,
                file.getLong(at + AT_POLLED));
    }

    private String whereAt(int at) {
        List<String> parts = new ArrayList<>();
        if (file.getInt(at + AT_OF_TASK) != 0) {
            parts.add(taskAt(at));
        }
        String within = text(at + AT_WITHIN, at + END_OF_WITHIN);
        if (!within.isEmpty()) {
            parts.add(within);
        }
        int what = file.getInt(at + AT_WHAT);
        if (what == VECTOR || what == CUBE) {
            parts.add("block " + file.getInt(at + AT_BLOCK) + " of " + file.getInt(at + AT_BLOCKS) + " on "
                    + (what == VECTOR ? "vector" : "cube") + " core " + file.getInt(at + AT_CORE));
        } else if (what == ORCHESTRATION) {
            parts.add(0, "the orchestration function");
        }
        return String.join(", ", parts);
    }

    private String taskAt(int at) {
        long id = file.getLong(at + AT_TASK);
        long ring = id >>> RING_SHIFT;
        String name = text(at + AT_TASK_NAME, at + AT_WITHIN);
        return "task " + (id & ((1L << RING_SHIFT) - 1)) + (ring == 0 ? "" : " of ring " + ring)
                + (name.isEmpty() ? "" : " \"" + name + "\"");
    }

    private String text(int from, int end) {
        byte[] bytes = new byte[end - from];
        file.get(from, bytes);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, UTF_8);
    }
}
