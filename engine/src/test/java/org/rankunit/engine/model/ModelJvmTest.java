package org.rankunit.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.engine.control.BufferDeclaration;
import org.rankunit.engine.control.TestDeclaration;
import org.rankunit.engine.control.model.Variant;
import org.rankunit.engine.prepare.model.ModelAnswer;
import org.rankunit.engine.prepare.model.ModelMain;
import org.rankunit.engine.prepare.model.ModelRequest;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** The JVM in which models are computed: one for all of them, another one after each that leaves it in doubt. */
@Tag("ranks")
@Timeout(120)
class ModelJvmTest {

    private static final long ANY_TIME = 0;

    @TempDir
    Path folder;

    private final List<String> printed = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstLine = new CountDownLatch(1);
    private final ModelJvm jvm = new ModelJvm(command(), Path.of("no-report"), this::print, Duration.ZERO);

    private void print(String line) {
        printed.add(line);
        firstLine.countDown();
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ModelMain.class.getName());
    }

    @AfterEach
    void end() {
        jvm.close();
    }

    /** Prints the id of its process, and lines of several kinds. */
    static class Talking implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            System.out.println("process " + ProcessHandle.current().pid());
            System.err.println("to the other stream");
            System.out.print("without an end");
            assertThat(String.format("%d%n", 1)).isEqualTo("1\n");
            data.output("output", 7);
        }
    }

    static class Exiting implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            System.out.println("process " + ProcessHandle.current().pid());
            System.exit(3);
        }
    }

    /** Stops its process, so that not even the watch in it goes on. */
    static class Stopping implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) throws IOException {
            System.out.println("process " + ProcessHandle.current().pid());
            System.out.flush();
            new ProcessBuilder("kill", "-STOP", "" + ProcessHandle.current().pid()).start();
            Object never = new Object();
            while (never != null) {
                Thread.onSpinWait();
            }
        }
    }

    static class Endless implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) throws InterruptedException {
            System.out.println("process " + ProcessHandle.current().pid());
            new CountDownLatch(1).await();
        }
    }

    /** Changes what all classes of a JVM see. */
    static class Changing implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            System.setOut(null);
            System.setErr(null);
            System.setProperty("line.separator", "?");
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            data.output("output", 8);
        }
    }

    private ModelAnswer compute(Class<? extends RankModel> model, long limitMillis) throws Exception {
        TestDeclaration plain = TestDeclaration.plain("Test.method", 1);
        TestDeclaration test = new TestDeclaration(
                plain.place(),
                1,
                0,
                true,
                List.of(),
                List.of(new BufferDeclaration(
                        "output", DType.INT32, 1, Placement.DEVICE, List.of(), Buffer.Role.OUTPUT, false, "Test")),
                List.of(),
                0,
                "",
                null,
                0,
                TestDeclaration.Rounds.ONCE,
                null,
                new TestDeclaration.GoldenSource("Test.method", model.getName(), "", model.getName(), false),
                0);
        return jvm.compute(
                new ModelRequest(new Variant(test, "a2a3sim", Map.of()), limitMillis, List.of()),
                Files.createTempDirectory(folder, "model"));
    }

    private List<Long> processes() {
        return printed.stream()
                .filter(line -> line.startsWith("process "))
                .map(line -> Long.parseLong(line.substring("process ".length())))
                .distinct()
                .toList();
    }

    @Test
    void oneProcessComputesAllModelsAndWhatTheyPrintIsShown() throws Exception {
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(compute(Changing.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);

        assertThat(processes()).hasSize(1);
        String process = "process " + processes().get(0);
        assertThat(printed.stream().limit(4))
                .as("two calls")
                .containsExactlyInAnyOrder(
                        process, "to the other stream", "without an end" + process, "to the other stream");
    }

    @Test
    void aModelThatExitsFailsAloneAndTheNextGetsAnotherProcess() throws Exception {
        assertThat(compute(Exiting.class, ANY_TIME))
                .isEqualTo(new ModelAnswer.Refused(
                        "Test.method: the golden model " + Exiting.class.getName()
                                + " ended its process, which exited with code 3 at " + Exiting.class.getName()
                                + ".compute(ModelJvmTest.java:" + lineOf("System.exit(3)")
                                + ").\nNo rank was started. A model returns, and does nothing but compute.",
                        true));
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(processes()).hasSize(2);
    }

    private static int lineOf(String code) throws IOException {
        List<String> lines = Files.readAllLines(
                Path.of("src/test/java", ModelJvmTest.class.getName().replace('.', '/') + ".java"));
        return 1
                + lines.indexOf(lines.stream()
                        .filter(line -> line.contains(code))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void aProcessThatDoesNotAnswerIsKilled() throws Exception {
        ModelAnswer answer = compute(Stopping.class, 3000);

        assertThat(answer).isInstanceOf(ModelAnswer.Refused.class);
        assertThat(((ModelAnswer.Refused) answer).message())
                .contains(Stopping.class.getName() + " takes longer than 3000 ms for all ranks");
        for (long process : processes()) {
            ProcessHandle.of(process).ifPresent(alive -> alive.onExit().join());
        }
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
    }

    @Test
    void anInterruptedWaitEndsTheProcess() throws Exception {
        Thread waiting = new Thread(() -> {
            try {
                compute(Endless.class, ANY_TIME);
            } catch (Exception e) {
                printed.add("" + e.getClass());
            }
        });
        waiting.start();
        firstLine.await();
        ProcessHandle process = ProcessHandle.of(processes().get(0)).orElseThrow();

        waiting.interrupt();
        waiting.join();
        process.onExit().join();

        assertThat(printed).contains("" + InterruptedException.class);
    }
}
