package org.rankunit.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.rankunit.cli.pool.DeviceRef;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.cli.text.DisplayText;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.health.DeviceHealth;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Clears suspicion and quarantine of devices. */
@Command(
        name = "clear",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Clear suspicion and quarantine: the devices are then leased like any others, without a probe.",
            "Without --platform, ids belong to the first platform that has devices, hardware before simulators."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {ExitCodes.FINE_TEXT, ExitCodes.USAGE_TEXT, ExitCodes.NO_POOL_TEXT},
        footerHeading = "%nExamples:%n",
        footer = {"  rankunit clear 4-7", "  rankunit clear 0 2 --platform a2a3sim", "  rankunit clear --all"})
final class ClearCommand implements Callable<Integer> {

    @Mixin
    private PoolOptions options = new PoolOptions();

    /** Exactly one of the two is given. */
    static final class Which {

        @Parameters(paramLabel = "DEVICES", description = "Ids and ranges, such as 4-7 or 0,2.")
        private List<String> devices = List.of();

        @Option(names = "--all", description = "All devices of the platform, or without --platform of all platforms.")
        private boolean all;
    }

    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PoolAccess access = options.access();
        List<DeviceRef> chosen =
                which.all ? DeviceRef.all(access) : DeviceRef.parse(access, String.join(",", which.devices));
        DevicePool pool = DevicePool.open(access.setup().config());
        DisplayText words = DisplayText.here();
        PrintWriter out = spec.commandLine().getOut();
        for (DeviceRef device : chosen) {
            DeviceHealth before = pool.clear(device.platform(), device.id());
            String was = words.held(before);
            Optional<String> shown = Optional.of("was " + was).filter(text -> !was.isEmpty());
            out.println(device + ": " + shown.orElse("was sound"));
        }
        out.flush();
        return ExitCodes.FINE;
    }
}
