package org.rankunit.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code rankunit}: the main class of the runnable jar. */
@Command(
        name = "rankunit",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Manage the devices that the tests on this machine share, compile their kernels, show their results,"
                    + " and verify, time and measure algorithms of collectives."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DevicesCommand.class,
            ClearCommand.class,
            ProbeDevicesCommand.class,
            DoctorCommand.class,
            CompileCommand.class,
            ReportCommand.class,
            VerifyCommand.class,
            SimulateCommand.class,
            BenchCommand.class,
            AutoComplete.GenerateCompletion.class,
            HelpCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit devices                who holds which device",
            "  rankunit doctor                 can this machine run tests?",
            "  rankunit compile                compile the kernels of this project",
            "  rankunit report                 what came of the tests",
            "  rankunit verify                 are algorithms of collectives correct?",
            "  rankunit bench all-reduce       how fast are they here?",
            "  rankunit help probe             help for one command",
            "  source <(rankunit generate-completion)",
            "%nThe keys rankunit.pool-dir, rankunit.devices, rankunit.sim.devices and",
            "rankunit.platform can also be set as system properties:",
            "  java -Drankunit.pool-dir=DIR -jar ..."
        })
public final class RankUnitCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private RankUnitCommand() {}

    public static void main(String[] arguments) {
        // The commands print what the pool would log.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new RankUnitCommand()).setExecutionExceptionHandler(new ExitCodes());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** The version of the engine, and of the JVM. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() throws IOException {
            try (InputStream in = Version.class.getResourceAsStream("/org/rankunit/engine/version.txt")) {
                String version = in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
                return new String[] {"rankunit " + version + " (Java " + System.getProperty("java.version") + ")"};
            }
        }
    }
}
