package org.rankunit.benchmarks.kernels;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.rankunit.engine.compile.KernelBuild;
import org.rankunit.engine.compile.KernelResult;
import org.rankunit.engine.compile.source.KernelSources;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;

/** Program: get the kernels of a folder, and print for each whether it was compiled, and how many milliseconds it took. */
final class KernelLookups {

    private KernelLookups() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        Settings settings = Settings.read(key -> Optional.empty(), Set.of());
        KernelBuild.open(
                        settings.kernels(),
                        folder.resolve("cache/kernels"),
                        SessionTime.begin(Optional.empty()),
                        System.getenv(),
                        System.err::println)
                .build(Platform.A2A3SIM, KernelSources.in(List.of(folder.resolve("kernels"))), KernelLookups::print);
    }

    private static void print(String name, KernelResult result) {
        if (result instanceof KernelResult.Ready ready) {
            System.out.println((ready.fresh() ? "compiled " : "cached ") + ready.nanos() / 1e6);
        } else if (result instanceof KernelResult.Failed failed) {
            System.out.println(failed.why());
        }
    }
}
