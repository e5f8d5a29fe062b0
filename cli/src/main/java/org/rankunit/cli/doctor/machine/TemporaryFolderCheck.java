package org.rankunit.cli.doctor.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import org.rankunit.cli.doctor.check.Amounts;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.cli.doctor.check.Mounts;

/** Checks that native libraries can be unpacked into the temporary folder and loaded from there. */
public record TemporaryFolderCheck(Host host) implements Check {

    private static final long NEEDED = 64L << 20;
    private static final String SETTING = "-Djava.io.tmpdir=DIR, for tests in rankunit.jvm-args too";
    private static final String ADVICE = "Set another folder: " + SETTING;

    @Override
    public String subject() {
        return "Temporary";
    }

    @Override
    public Finding look() {
        Path folder = Path.of(host.property("java.io.tmpdir"));
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return Finding.fail(folder + " is not a folder that this process may write to", ADVICE);
        }
        if (Mounts.of(host)
                .around(folder)
                .filter(mount -> mount.options().contains("noexec"))
                .isPresent()) {
            return Finding.fail(folder + " is mounted noexec: the libraries unpacked there cannot be loaded", ADVICE);
        }
        long left = folder.toFile().getUsableSpace();
        String what = folder + " has " + Amounts.bytes(left) + " left";
        return left < NEEDED
                ? Finding.warn(what, "Free some space, or set another folder: " + SETTING)
                : Finding.ok(what);
    }
}
