package org.rankunit.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rankunit.cli.pool.DeviceRef;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.cli.text.DisplayText;
import org.rankunit.pool.DevicePool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Probes devices that are not held. */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = {
            "Probe devices that are not held, several at a time. A device that works is then sound; one that"
                    + " fails is quarantined. A device that is held is not probed, which is not a failure.",
            "Without --platform, ids belong to the first platform that has devices, hardware before simulators."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:No device failed; devices that are held were not probed.",
            "1:A device failed.",
            ExitCodes.USAGE_TEXT,
            ExitCodes.NO_POOL_TEXT
        },
        footerHeading = "%nExamples:%n",
        footer = {"  rankunit probe", "  rankunit probe 4-7 --platform a2a3"})
final class ProbeDevicesCommand implements Callable<Integer> {

    @Mixin
    private PoolOptions options = new PoolOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "DEVICES",
            description = "Ids and ranges, such as 4-7 or 0,2; without any, all devices of the platform.")
    private List<String> devices = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        PoolAccess access = options.access();
        List<DeviceRef> chosen = devices.isEmpty()
                ? DeviceRef.allOf(access, access.platform())
                : DeviceRef.parse(access, String.join(",", devices));
        PrintWriter out = spec.commandLine().getOut();
        ProbeRound round = new ProbeRound(DevicePool.open(access.setup().config()), DisplayText.here());
        List<ProbeRound.Result> results = round.probe(chosen, result -> {
            out.println(result.line());
            out.flush();
        });
        out.println(summary(results));
        out.flush();
        boolean failed = results.stream().anyMatch(result -> result.end() == ProbeRound.End.FAILED);
        return failed ? ExitCodes.NOT_WELL : ExitCodes.FINE;
    }

    /** {@code 14 sound, 1 failed, 1 held}. */
    private static String summary(List<ProbeRound.Result> results) {
        return Stream.of(ProbeRound.End.values())
                .map(end ->
                        results.stream().filter(result -> result.end() == end).count() + " " + end.word())
                .collect(Collectors.joining(", "));
    }
}
