package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.FreshRanks;
import org.rankunit.Platforms;

/** Which tests share the processes of a group, and which do not. Each test here prints the process it ran in. */
@Tag("ranks")
@Timeout(120)
class GroupKindsTest {

    private static EngineRun run;

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class Ordinary {

        @Test
        void a() {
            sayWhere();
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class OneFresh {

        @Test
        @Order(1)
        void b() {
            sayWhere();
        }

        @Test
        @Order(2)
        @FreshRanks
        void fresh() {
            sayWhere();
        }

        @Test
        @Order(3)
        void c() {
            sayWhere();
        }
    }

    @FreshRanks
    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class AllFresh {

        @Test
        void d() {
            sayWhere();
        }

        @Test
        void e() {
            sayWhere();
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    @DeviceRuntime("host_build_graph")
    static class OnHostGraph {

        @Test
        void f() {
            sayWhere();
        }

        @Test
        @DeviceRuntime("aicpu_build_graph")
        void other() {
            sayWhere();
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    @DeviceRuntime("host_build_graph")
    static class AlsoOnHostGraph {

        @Test
        void g() {
            sayWhere();
        }
    }

    @DeviceCount(value = 1, communicator = false)
    @Platforms("a2a3sim")
    static class Apart {

        @Test
        void i() {
            sayWhere();
        }

        @Test
        @DeviceCount(1)
        void together() {
            sayWhere();
        }
    }

    @DeviceCount(value = 1, communicator = false)
    @Platforms("a2a3sim")
    static class AlsoApart {

        @Test
        void j() {
            sayWhere();
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class Nameless {

        @Test
        @DeviceRuntime(" ")
        void h() {
            sayWhere();
        }
    }

    @BeforeAll
    static void runAll(@TempDir Path folder) {
        run = EngineRun.of(
                folder,
                Map.of("rankunit.max-parallel", "1"),
                Ordinary.class,
                OneFresh.class,
                AllFresh.class,
                OnHostGraph.class,
                AlsoOnHostGraph.class,
                Apart.class,
                AlsoApart.class,
                Nameless.class);
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void ranksServeClassAfterClass() {
        assertThat(List.of(where(OneFresh.class, "b()"), where(OneFresh.class, "c()")))
                .containsOnly(where(Ordinary.class, "a()"));
    }

    @Test
    void aTestWithFreshRanksSharesThemWithNobody() {
        assertThat(where(OneFresh.class, "fresh()"))
                .isNotIn(
                        where(OneFresh.class, "b()"),
                        where(AllFresh.class, "d()"),
                        where(OnHostGraph.class, "f()"),
                        where(OnHostGraph.class, "other()"));
    }

    @Test
    void aClassWithFreshRanksHasOneGroup() {
        assertThat(where(AllFresh.class, "d()"))
                .isEqualTo(where(AllFresh.class, "e()"))
                .isNotEqualTo(where(Ordinary.class, "a()"));
    }

    @Test
    void testsOfOneRuntimeShareRanksWithNoOtherRuntime() {
        assertThat(where(AlsoOnHostGraph.class, "g()"))
                .isEqualTo(where(OnHostGraph.class, "f()"))
                .isNotIn(where(OnHostGraph.class, "other()"), where(Ordinary.class, "a()"));
    }

    @Test
    void testsWithoutACommunicatorShareRanksWithNoTestThatHasOne() {
        assertThat(where(AlsoApart.class, "j()"))
                .isEqualTo(where(Apart.class, "i()"))
                .isNotIn(where(Apart.class, "together()"), where(Ordinary.class, "a()"));
        assertThat(where(Apart.class, "together()")).isEqualTo(where(Ordinary.class, "a()"));
    }

    @Test
    void aRuntimeHasAName() {
        assertThat(run.message(Nameless.class, "h()"))
                .isEqualTo(Nameless.class.getName() + ".h: @DeviceRuntime has a blank name. Give that of the runtime.");
    }

    private static String where(Class<?> type, String test) {
        return Arrays.stream(run.output(type, test).split("\n"))
                .filter(line -> line.contains("in process "))
                .findFirst()
                .orElseThrow();
    }

    private static void sayWhere() {
        System.out.println("in process " + ProcessHandle.current().pid());
    }
}
