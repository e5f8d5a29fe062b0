package org.rankunit.cli.doctor.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.lock.PoolException;

/** Checks that the pool's folder can be used or created, and who shares it. */
public record PoolFolderCheck(PoolConfig config) implements Check {

    @Override
    public String subject() {
        return "Pool folder";
    }

    @Override
    public Finding look() {
        Path folder = config.folder().toAbsolutePath();
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return absent(folder);
        }
        try {
            return Finding.ok(shared(DevicePool.open(config).folder()));
        } catch (PoolException e) {
            List<String> lines = String.valueOf(e.getMessage()).lines().toList();
            return Finding.fail(lines.get(0), String.join(" ", lines.subList(1, lines.size())));
        } catch (IOException e) {
            return Finding.fail(folder + " cannot be examined: " + e, "Set rankunit.pool-dir to another folder");
        }
    }

    private static Finding absent(Path folder) {
        Path ancestor = folder.getParent();
        while (ancestor != null && !Files.exists(ancestor)) {
            ancestor = ancestor.getParent();
        }
        return ancestor != null && Files.isDirectory(ancestor) && Files.isWritable(ancestor)
                ? Finding.ok(folder + " does not exist yet; the first test creates it, for its own user only")
                : Finding.fail(
                        folder + " does not exist and cannot be created in " + ancestor,
                        "Set rankunit.pool-dir to a folder of your own");
    }

    private static String shared(Path folder) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(folder, PosixFileAttributes.class);
        String mode = PosixFilePermissions.toString(attributes.permissions());
        return folder + " (" + mode + "), "
                + (attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
                        ? "shared by the group " + attributes.group().getName()
                        : "for " + attributes.owner().getName() + " only");
    }
}
