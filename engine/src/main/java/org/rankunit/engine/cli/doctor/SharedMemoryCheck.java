package org.rankunit.engine.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;

/** How large {@code /dev/shm} is. People ask, since other tools fail there; ours do not use it. */
record SharedMemoryCheck(Host host) implements Check {

    @Override
    public String subject() {
        return "Shared memory";
    }

    @Override
    public Finding look() {
        try {
            long bytes = Files.getFileStore(host.at("/dev/shm")).getTotalSpace();
            return Finding.ok("/dev/shm has " + Amounts.bytes(bytes) + "; the simulator does not need it");
        } catch (IOException e) {
            return Finding.ok("no /dev/shm; the simulator does not need it");
        }
    }
}
