package org.rankunit.cli.doctor.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.pool.PoolConfig;

/**
 * Checks whether the users of this machine share one pool.
 *
 * @param folder folder of the pool that this process uses
 */
public record SystemFolderCheck(Host host, Path folder) implements Check {

    @Override
    public String subject() {
        return "Shared pool";
    }

    @Override
    public Finding look() {
        String shared = PoolConfig.SYSTEM_FOLDER.toString();
        if (!Files.isDirectory(host.at(shared))) {
            return Finding.ok("no " + shared + ": each user has a separate pool unless they set the same folder");
        }
        return folder.equals(PoolConfig.SYSTEM_FOLDER)
                ? Finding.ok(shared + " is used")
                : Finding.warn(
                        shared + " exists, but this process uses another pool: both could lease the same NPU",
                        "To use it, do not set rankunit.pool-dir");
    }
}
