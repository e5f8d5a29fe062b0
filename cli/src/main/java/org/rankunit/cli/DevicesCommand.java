package org.rankunit.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rankunit.cli.pool.Listing;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.cli.text.DisplayText;
import org.rankunit.pool.DevicePool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows who holds which device, the health of each device, and who waits. */
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        versionProvider = RankUnitCommand.Version.class,
        description = "Show each device: its health, who holds it, for which test and since when; then who waits.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {ExitCodes.FINE_TEXT, ExitCodes.USAGE_TEXT, ExitCodes.NO_POOL_TEXT},
        footerHeading = "%nExamples:%n",
        footer = {
            "  rankunit devices",
            "  rankunit devices --platform a2a3",
            "  rankunit devices --json | jq '.devices[] | select(.state == \"held\")'"
        })
final class DevicesCommand implements Callable<Integer> {

    private static final int DEFAULT_WIDTH = 120;

    @Mixin
    private PoolOptions options = new PoolOptions();

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PoolAccess access = options.access();
        DisplayText words = DisplayText.here();
        Listing listing = Listing.of(access, DevicePool.open(access.setup().config()), words.now());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(ListingJson.write(listing));
        } else {
            ListingText.lines(listing, words, width(System.getenv())).forEach(out::println);
        }
        out.flush();
        return ExitCodes.FINE;
    }

    /** Returns the width of the terminal, if the shell exports it; otherwise 120. */
    static int width(Map<String, String> environment) {
        try {
            int columns = Integer.parseInt(environment.getOrDefault("COLUMNS", ""));
            return columns > 0 ? columns : DEFAULT_WIDTH;
        } catch (NumberFormatException unset) {
            return DEFAULT_WIDTH;
        }
    }
}
