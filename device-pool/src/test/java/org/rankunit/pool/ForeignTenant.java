package org.rankunit.pool;

import java.io.OutputStream;
import java.nio.file.Path;
import org.rankunit.pool.lock.PoolException;

/**
 * Program: lease a device as a user does who has configured nothing, say what came of it in one line, and hold the device until
 * standard input ends.
 *
 * <p>Argument: the folder for temporary files.
 */
final class ForeignTenant {

    private ForeignTenant() {}

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.io.tmpdir", Path.of(arguments[0]).toString());
        try {
            DevicePool pool = DevicePool.open(PoolConfig.defaults());
            try (DeviceLease lease = pool.lease(Pools.devices(1), Pools.SOON)) {
                System.out.println("leased " + lease.devices() + " in " + pool.folder() + " as "
                        + lease.owner().user());
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        } catch (PoolException e) {
            System.out.println("refused: " + String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }
}
