package org.rankunit.engine;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.SlurmCases;
import org.rankunit.engine.slurm.MiniSlurm;
import org.rankunit.engine.slurm.RequiresSlurm;

@Tag("slurm")
@RequiresSlurm
class SlurmRunsTest {

    private static MiniSlurm slurm;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        slurm = MiniSlurm.start(4, 8);
    }

    @AfterAll
    static void stop() {
        slurm.close();
    }

    private ParentRun.Order order() {
        ParentRun.Order order = new ParentRun.Order(folder)
                .parameter("rankunit.slurm.allocate", "-N2 --gres=npu:4")
                .environment(
                        "LD_LIBRARY_PATH",
                        Path.of("../native-comm/target/native/vendor-8.1")
                                .toAbsolutePath()
                                .toString())
                .environment("RANKUNIT_EMULATOR_SOC", "Ascend910B3");
        slurm.environment().forEach(order::environment);
        return order;
    }

    @Test
    void first() throws Exception {
        ParentRun run = order().run(
                        SlurmCases.Together.class,
                        SlurmCases.Apart.class,
                        SlurmCases.OnTwoNodes.class,
                        SlurmCases.Anywhere.class,
                        SlurmCases.TooMany.class,
                        SlurmCases.Deaths.class);
        System.out.println(run.results());
        run.messages().forEach(System.out::println);
        System.out.println(run.printed());
    }
}
