package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.ShakenOrderCases;

/** In which order ranks come depends on the seed. */
@Tag("ranks")
@Timeout(300)
class ShakenOrderRunsTest {

    @Test
    void eachOrderOfTwoRanksIsReached(@TempDir Path folder) throws IOException {
        Path kernels = folder.resolve("kernels");
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/look.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_BLOCK_KERNEL(look)(const KernelEnv *env, const uint64_t *args, int) {
                    int32_t seen = 0;
                    for (int32_t value = 1; value <= 3; value++) {
                        if (rankunit_test(env, rankunit_pointer<int32_t>(args[0]), KERNEL_GE, value)) seen = value;
                    }
                    *rankunit_pointer<int32_t>(args[1]) = seen;
                    return 0;
                }
                """);
        EngineRun run = EngineRun.of(
                folder,
                Map.of("rankunit.kernel-sources", kernels.toString(), "rankunit.sim.check", "off"),
                ShakenOrderCases.class);

        Map<String, Long> seen = run.output()
                .lines()
                .filter(line -> line.contains("saw "))
                .collect(Collectors.groupingBy(
                        line -> line.substring(line.indexOf("saw ")), TreeMap::new, Collectors.counting()));
        System.out.println("Of 100 seeds, a rank that looks once " + seen);
        assertThat(seen.keySet()).containsExactly("saw 0", "saw 1", "saw 2", "saw 3");
    }
}
