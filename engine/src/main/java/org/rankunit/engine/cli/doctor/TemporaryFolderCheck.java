package org.rankunit.engine.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;

/** Whether native libraries can be unpacked into the temporary folder and loaded from there. */
record TemporaryFolderCheck(Host host) implements Check {

    private static final long NEEDED = 64L << 20;
    private static final String ADVICE =
            "Give another folder: -Djava.io.tmpdir=DIR, for tests in rankunit.jvm-args too";

    @Override
    public String subject() {
        return "Temporary";
    }

    @Override
    public Finding look() {
        Path folder = Path.of(host.property("java.io.tmpdir"));
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return Finding.fail(folder + " is no folder that this process may write", ADVICE);
        }
        if (Mounts.of(host)
                .around(folder)
                .filter(mount -> mount.options().contains("noexec"))
                .isPresent()) {
            return Finding.fail(folder + " is mounted noexec: the libraries unpacked there cannot be loaded", ADVICE);
        }
        long left = folder.toFile().getUsableSpace();
        String what = folder + " has " + Amounts.bytes(left) + " left";
        return left < NEEDED ? Finding.warn(what, "Make room, or: " + ADVICE) : Finding.ok(what);
    }
}
