package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenModel;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.DeviceState;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;

/** No device is held while the only thing that a run waits for is a golden model. */
@Tag("ranks")
@Timeout(120)
class IdleDevicesTest {

    private static final String PLATFORM = "a2a3sim";
    private static final String POOL = "pool";

    private static DevicePool poolIn(Path folder) {
        return DevicePool.open(new PoolConfig(folder, Map.of()).with(Inventory.ofFirst(16, PLATFORM)));
    }

    /** Ends when another test has had devices and nobody holds them any more. */
    static class Patient implements RankModel {

        private static boolean done;

        @Override
        public void compute(ModelRank rank, ModelData data) throws TimeoutException {
            if (!done) {
                DevicePool pool = poolIn(Path.of(rank.parameter(POOL).orElseThrow()));
                await("no device was held", () -> isHeld(pool));
                await("devices were held all the time", () -> !isHeld(pool));
                done = true;
            }
            data.output("output", rank.rank());
        }

        private static boolean isHeld(DevicePool pool) {
            return pool.status(PLATFORM).stream().anyMatch(device -> device.state() == DeviceState.HELD);
        }

        private static void await(String otherwise, BooleanSupplier condition) throws TimeoutException {
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(otherwise);
                }
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
        }
    }

    @DeviceCount(2)
    @Platforms(PLATFORM)
    static class Before {

        @Test
        void hasDevices(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms(PLATFORM)
    @Buffer(name = "output", type = DType.INT32, count = 1, role = Buffer.Role.OUTPUT)
    @GoldenModel(Patient.class)
    static class Waiting {

        @Test
        void waitsForItsModel(RankContext rank) {
            rank.buffer("output").write(rank.rank());
        }
    }

    @Test
    void aKeptGroupEndsWhileAModelTakesItsTime(@TempDir Path folder) throws Exception {
        Path pool = folder.resolve("pool");
        poolIn(pool);
        // The folder is another one each time, so that the result of the model is not one that was kept.
        EngineRun run = EngineRun.of(
                folder,
                Map.of("rankunit.max-parallel", "1", "rankunit.param." + POOL, pool.toString()),
                Before.class,
                Waiting.class);

        assertThat(run.results(Before.class)).allMatch(result -> result.startsWith("SUCCESSFUL"));
        assertThat(run.results(Waiting.class)).hasSize(1).allMatch(result -> result.startsWith("SUCCESSFUL"));
        RunReport.TestEntry waiting = new JsonReport()
                .read(folder.resolve("out/report.json")).tests().stream()
                        .filter(test -> test.name().contains("waitsForItsModel"))
                        .findFirst()
                        .orElseThrow();
        assertThat(waiting.milliseconds().goldens()).isPositive();
        assertThat(waiting.ranks())
                .allSatisfy(rank -> assertThat(rank.phases().get(0).name()).isEqualTo("golden models"));
    }
}
