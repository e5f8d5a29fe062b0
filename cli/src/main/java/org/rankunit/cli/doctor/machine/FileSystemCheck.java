package org.rankunit.cli.doctor.machine;

import java.nio.file.Path;
import java.util.Set;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.cli.doctor.check.Mounts;

/**
 * Checks that the pool's folder is on a local file system. On a remote one, locks may not work as on one machine.
 *
 * @param folder the pool's folder
 */
public record FileSystemCheck(Host host, Path folder) implements Check {

    private static final Set<String> REMOTE = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "lustre",
            "gpfs",
            "ceph",
            "beegfs",
            "afs",
            "glusterfs",
            "9p",
            "orangefs");

    @Override
    public String subject() {
        return "File locks";
    }

    @Override
    public Finding look() {
        return Mounts.of(host)
                .around(folder)
                .map(this::judge)
                .orElseGet(() -> Finding.warn(
                        "the file system of " + folder + " is unknown", "Use a local file system, not NFS"));
    }

    private Finding judge(Mounts.Mount mount) {
        String what = folder + " is on " + mount.type() + ", mounted at " + mount.point();
        if (REMOTE.contains(mount.type())) {
            return Finding.fail(
                    what + ": devices could be leased twice",
                    "Set rankunit.pool-dir to a folder on a local file system, the same for all users of"
                            + " these devices");
        }
        return mount.type().startsWith("fuse.")
                ? Finding.warn(what, "Make sure that this is a local file system, or set rankunit.pool-dir to one")
                : Finding.ok(what);
    }
}
