package org.rankunit.pool;

import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Program: hold a lease, or with the folder as the only argument the pool's mutex, until standard input ends.
 *
 * <p>Arguments: folder, number of devices there are, number to lease, test.
 */
final class ForeignHolder {

    private ForeignHolder() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        if (arguments.length == 1) {
            holdMutex(folder);
        } else {
            DevicePool pool = Pools.pool(folder, Integer.parseInt(arguments[1]));
            LeaseRequest request = Pools.request(Integer.parseInt(arguments[2]), arguments[3]);
            try (DeviceLease lease = pool.lease(request, Pools.SOON)) {
                sayAndAwaitEndOfInput(lease.devices().isEmpty() ? "nothing" : "leased");
            }
        }
    }

    private static void holdMutex(Path folder) throws Exception {
        try (FileChannel channel = FileChannel.open(folder.resolve("gate.lock"), StandardOpenOption.WRITE);
                FileLock mutex = channel.lock()) {
            sayAndAwaitEndOfInput(mutex.isValid() ? "locked" : "free");
        }
    }

    private static void sayAndAwaitEndOfInput(String line) throws Exception {
        System.out.println(line);
        // The parent's end closes the pipe too, so this process never outlives it.
        System.in.transferTo(OutputStream.nullOutputStream());
    }
}
