package org.rankunit.cli.doctor.machine;

import org.rankunit.cli.doctor.check.Amounts;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Reports the size of {@code /dev/shm}. Other tools fail if it is small; the simulator does not use it. */
public record SharedMemoryCheck(Host host) implements Check {

    @Override
    public String subject() {
        return "Shared memory";
    }

    @Override
    public Finding look() {
        long bytes = host.at("/dev/shm").toFile().getTotalSpace();
        return Finding.ok((bytes > 0 ? "/dev/shm has " + Amounts.bytes(bytes) : "no /dev/shm")
                + "; the simulator does not need it");
    }
}
