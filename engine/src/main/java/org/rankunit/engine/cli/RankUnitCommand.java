package org.rankunit.engine.cli;

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
        description = "Look after the devices that the tests of this machine share.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DevicesCommand.class,
            ClearCommand.class,
            ProbeDevicesCommand.class,
            DoctorCommand.class,
            AutoComplete.GenerateCompletion.class,
            HelpCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit devices                who holds which device",
            "  rankunit doctor                 is this machine fit for tests?",
            "  rankunit help probe             all about one command",
            "  source <(rankunit generate-completion)",
            "%nThe keys rankunit.pool-dir, rankunit.devices, rankunit.simulator-devices and",
            "rankunit.platform are read from system properties too:",
            "  java -Drankunit.pool-dir=DIR -jar ..."
        })
public final class RankUnitCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private RankUnitCommand() {}

    public static void main(String[] arguments) {
        // What the pool would log is part of what the commands say.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new RankUnitCommand()).setExecutionExceptionHandler(new ExitCodes());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }

    /** The version that the engine says, and the JVM. */
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
