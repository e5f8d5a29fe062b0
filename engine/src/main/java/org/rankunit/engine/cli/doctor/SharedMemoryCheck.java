package org.rankunit.engine.cli.doctor;

/** Reports the size of {@code /dev/shm}. Other tools fail if it is small; the simulator does not use it. */
record SharedMemoryCheck(Host host) implements Check {

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
