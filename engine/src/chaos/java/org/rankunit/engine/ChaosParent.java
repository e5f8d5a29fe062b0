package org.rankunit.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rankunit.engine.launch.command.JavaOfTests;

/** A process of its own that does one run and checks its verdict, beside others that use the same pool. */
record ChaosParent(ChaosPlan plan, Process process, Path folder) {

    /** Arguments: the number of the run, a folder of its own, the number of devices, the pool. */
    public static void main(String[] args) throws IOException {
        ChaosPlan plan = ChaosPlan.of(Long.parseLong(args[0]));
        ChaosRun.of(plan, Path.of(args[1]), Integer.parseInt(args[2]), Path.of(args[3]))
                .check();
        System.exit(0);
    }

    static ChaosParent start(ChaosPlan plan, Path folder, int devices) throws IOException {
        Path own = Files.createDirectory(folder.resolve("parent-" + plan.seed()));
        Process process = new ProcessBuilder(JavaOfTests.command(
                        "-Djava.io.tmpdir=" + folder,
                        "-Dchaos.long=" + ChaosPlan.LONG,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChaosParent.class.getName(),
                        Long.toString(plan.seed()),
                        own.toString(),
                        Integer.toString(devices),
                        folder.resolve("pool").toString()))
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("said").toFile())
                .start();
        return new ChaosParent(plan, process, own);
    }

    /** Wait for its end; returns what it said if that was not a good one, else nothing. */
    String complaint() throws IOException, InterruptedException {
        boolean ended = process.waitFor(100, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        return ended && process.exitValue() == 0 ? "" : plan + ":\n" + Files.readString(folder.resolve("said"));
    }

    List<String> leftovers() throws IOException {
        return ChaosRun.leftovers(plan, folder);
    }
}
