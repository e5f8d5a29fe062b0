package org.rankunit.engine.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import org.rankunit.pool.PoolConfig;

/**
 * Whether users of this machine share one pool.
 *
 * @param folder of the pool that this process uses
 */
record SystemFolderCheck(Host host, Path folder) implements Check {

    @Override
    public String subject() {
        return "Shared pool";
    }

    @Override
    public Finding look() {
        String shared = PoolConfig.SYSTEM_FOLDER.toString();
        if (!Files.isDirectory(host.at(shared))) {
            return Finding.ok(
                    "no " + shared + ": every user has a pool of their own, unless they give the same folder");
        }
        return folder.equals(PoolConfig.SYSTEM_FOLDER)
                ? Finding.ok(shared + " is used")
                : Finding.warn(
                        shared + " is there, and this process uses another pool: both could lend the same NPU",
                        "Leave rankunit.pool-dir out to use it");
    }
}
