package org.rankunit.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.rankunit.cli.doctor.Doctor;
import org.rankunit.cli.doctor.Doctor.Diagnosis;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.cli.doctor.trial.NpuTrialRun;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.engine.config.ConfigurationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks whether this machine can run tests, and says what to do if it cannot. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Check whether this machine can run tests, and say what to do if it cannot.",
            "OK: nothing needs to be done. WARN limits what can be run. FAIL prevents tests from running."
                    + " Without --npu, no NPU is opened and no folder is created."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:No check failed; there may be warnings.", "1:A check failed.", ExitCodes.USAGE_TEXT},
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit doctor",
            "  rankunit doctor --npu",
            "  rankunit doctor --pool-dir /var/lib/rankunit/pool --devices 4-7"
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private PoolOptions options = new PoolOptions();

    @Option(
            names = "--npu",
            description =
                    "Also test two free devices, in one process each: memory, communicator, windows, barrier, domain.")
    private boolean npu;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        List<Diagnosis> all = new ArrayList<>(new Doctor(Host.here(), setup()).examine());
        if (npu) {
            all.addAll(new NpuTrialRun(options.access()).run());
        }
        PrintWriter out = spec.commandLine().getOut();
        Doctor.lines(all).forEach(out::println);
        out.flush();
        boolean failed = all.stream().anyMatch(each -> each.finding().level() == Finding.Level.FAIL);
        return failed ? ExitCodes.NOT_WELL : ExitCodes.FINE;
    }

    /** Returns the pool, or why there is none; that is a finding and does not end the command. */
    private Doctor.Pool setup() {
        try {
            PoolAccess access = options.access();
            return new Doctor.Pool(
                    Optional.of(access.setup().config()),
                    access.setup().machine(),
                    access.setup().grant(),
                    access.allNotes());
        } catch (ConfigurationException e) {
            return Doctor.Pool.none(String.valueOf(e.getMessage()));
        }
    }
}
