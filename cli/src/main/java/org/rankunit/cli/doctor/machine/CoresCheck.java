package org.rankunit.cli.doctor.machine;

import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/** Checks how many ranks of a simulator this machine can run at the same time without taking turns. */
public record CoresCheck(Host host) implements Check {

    @Override
    public String subject() {
        return "Cores";
    }

    @Override
    public Finding look() {
        int cores = host.processors();
        return cores > 1
                ? Finding.ok(cores + ": this many ranks of a simulator run at the same time; more take turns")
                : Finding.warn("1: ranks take turns", "Expect tests on many ranks to be slow");
    }
}
