package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.BrokenCases;
import org.rankunit.engine.cases.MadeClass;
import org.rankunit.engine.cases.Notes;

/** Classes that are sound in this JVM and broken in the ranks: each test has one result, and it says where and why. */
@Tag("ranks")
@Timeout(120)
class BrokenRunsTest {

    private static final Map<String, String> PARAMETERS = Map.of("rankunit.sim.devices", "4");

    private static Path folder = Path.of("");
    private static EngineRun run;
    private static Notes notes;

    @BeforeAll
    static void runAll(@TempDir Path temp) {
        folder = temp;
        notes = Notes.in(temp);
        run = EngineRun.of(
                temp,
                PARAMETERS,
                BrokenCases.StaticInitializer.class,
                BrokenCases.BrokenExtension.class,
                BrokenCases.EndlessConstructor.class,
                BrokenCases.WaitingConstructor.class,
                BrokenCases.BeforeAllOfRank1.class,
                BrokenCases.BeforeEachOfRank1.class,
                BrokenCases.AfterAllOfRank1.class);
    }

    @AfterAll
    static void forgetTheNotes() {
        notes.close();
    }

    @Test
    void aStaticInitializerThatThrowsFailsEachTestOfItsClass() {
        assertThat(run.results(BrokenCases.StaticInitializer.class))
                .containsExactlyInAnyOrder("FAILED a(RankContext)", "FAILED b()");
        assertThat(List.of(
                        run.message(BrokenCases.StaticInitializer.class, "a(RankContext)"),
                        run.message(BrokenCases.StaticInitializer.class, "b()")))
                .allMatch(message -> message.startsWith("BrokenCases.StaticInitializer."))
                .anySatisfy(
                        message -> assertThat(message)
                                .containsPattern(
                                        "java\\.lang\\.IllegalStateException: no driver here, in the static initializer of"
                                                + " org\\.rankunit\\.engine\\.cases\\.BrokenCases\\$StaticInitializer"
                                                + " \\(BrokenCases\\.java:\\d+\\) \\(java\\.lang\\.ExceptionInInitializerError\\)"))
                .allSatisfy(message -> assertThat(message).contains("java.lang.IllegalStateException: no driver here"));
        assertThat(run.failure(BrokenCases.StaticInitializer.class, "b()"))
                .hasStackTraceContaining("java.lang.IllegalStateException: no driver here");
    }

    @Test
    void anExtensionThatARankCannotMakeFailsAllTestsOfItsClass() {
        assertThat(run.results(BrokenCases.BrokenExtension.class))
                .containsExactlyInAnyOrder("FAILED a()", "FAILED p(int)[1]", "FAILED p(int)[2]");
        assertThat(run.message(BrokenCases.BrokenExtension.class, "a()"))
                .startsWith("BrokenCases.BrokenExtension.a [2 ranks, a2a3sim] did not run: the lifecycle of"
                        + " BrokenCases$BrokenExtension failed on rank 1")
                .contains("no licence");
    }

    @Test
    void aConstructorThatOverflowsTheStackOfOneRankFailsItsTest() {
        assertThat(run.message(BrokenCases.EndlessConstructor.class, "a(RankContext)"))
                .startsWith("BrokenCases.EndlessConstructor.a [2 ranks, a2a3sim] failed on rank 1")
                .contains("java.lang.StackOverflowError");
    }

    @Test
    void aConstructorThatMeetsTheEndOfItsRanksRunsAgainOnNewOnes() {
        assertThat(run.results(BrokenCases.WaitingConstructor.class))
                .containsExactly("FAILED failsOnRank1(RankContext)", "SUCCESSFUL thenPasses(RankContext)");
    }

    @Test
    void aBeforeAllThatThrowsOnOneRankReleasesTheOthersAndFailsTheTests() {
        assertThat(run.results(BrokenCases.BeforeAllOfRank1.class))
                .containsExactlyInAnyOrder("FAILED a()", "FAILED b()");
        assertThat(EngineRun.withoutNumbers(run.message(BrokenCases.BeforeAllOfRank1.class, "b()")))
                .contains(
                        "failed on rank 1",
                        "no link",
                        "rank 0 was released from barrier #N (BrokenCases.java:L) because rank 1 failed");
    }

    @Test
    void aBeforeEachThatThrowsOnOneRankReleasesTheOthersAndFailsTheTest() {
        assertThat(EngineRun.withoutNumbers(run.message(BrokenCases.BeforeEachOfRank1.class, "a()")))
                .contains(
                        "failed on rank 1",
                        "no memory",
                        "rank 0 was released from barrier #N (BrokenCases.java:L) because rank 1 failed");
    }

    @Test
    void anAfterAllThatThrowsOnOneRankReleasesTheOthersAndFailsTheClassAlone() {
        String container = BrokenCases.AfterAllOfRank1.class.getName();

        assertThat(run.results(BrokenCases.AfterAllOfRank1.class)).containsExactly("SUCCESSFUL a()");
        assertThat(run.containers(BrokenCases.AfterAllOfRank1.class)).containsExactly("FAILED " + container);
        assertThat(EngineRun.withoutNumbers(run.message(BrokenCases.AfterAllOfRank1.class, container)))
                .startsWith("the lifecycle of BrokenCases$AfterAllOfRank1 [2 ranks, a2a3sim] failed on rank 1")
                .contains(
                        "cannot close",
                        "rank 0 was released from barrier #N (BrokenCases.java:L) because rank 1 failed");
    }

    @Test
    void whatWasStartedWasFinishedOnce() {
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void aClassThatRanksDoNotFindFailsItsTestsAndNamesIt(@TempDir Path elsewhere) throws Exception {
        String name = MadeClass.in(elsewhere, "Elsewhere", "isNotFound");
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {elsewhere.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = loader.loadClass(name);
            EngineRun missing = EngineRun.of(folder, PARAMETERS, type);

            assertThat(missing.results(type)).containsExactly("FAILED isNotFound()");
            assertThat(missing.message(type, "isNotFound()"))
                    .startsWith(
                            "Elsewhere.isNotFound [2 ranks, a2a3sim] did not run: the lifecycle of Elsewhere failed on"
                                    + " ranks 0, 1")
                    .contains("Jupiter found these tests during discovery, but not in this rank: ")
                    .contains("[class:" + name + "]");
            assertThat(missing.imbalance()).isEmpty();
        }
    }

    /** As Kotlin and Groovy have them. */
    @Test
    void namesOfClassesAndMethodsMayHaveSpacesAndSigns() throws Exception {
        Path classes = Path.of(
                getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
        String name = MadeClass.in(classes, "The sum", "adds 1 + 1, on (all) ranks: 100 % {ok}");
        try {
            Class<?> type = Class.forName(name);
            EngineRun spaced = EngineRun.of(folder, PARAMETERS, type);

            assertThat(spaced.results(type)).containsExactly("SUCCESSFUL adds 1 + 1, on (all) ranks: 100 % {ok}()");
            assertThat(List.of(notes.of(0, "made "), notes.of(1, "made ")))
                    .containsOnly(List.of("adds 1 + 1, on (all) ranks: 100 % {ok}"));
        } finally {
            Files.delete(classes.resolve(name.replace('.', '/') + ".class"));
        }
    }
}
