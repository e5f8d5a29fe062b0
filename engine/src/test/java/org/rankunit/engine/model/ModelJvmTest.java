package org.rankunit.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.Placement;
import org.rankunit.engine.config.files.PrivateFolder;
import org.rankunit.engine.config.files.RandomHex;
import org.rankunit.engine.prepare.model.ModelAnswer;
import org.rankunit.engine.prepare.model.ModelMain;
import org.rankunit.engine.prepare.model.ModelRequest;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.protocol.Variant;
import org.rankunit.engine.protocol.wire.RecordCodec;
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
    private final ProcessMark mark = ProcessMark.ofRank(Path.of("models-" + RandomHex.of(8), "models"), 0);
    private final ModelJvm jvm = new ModelJvm(command(), mark, Path.of("no-report"), this::print, Duration.ZERO);

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

    /** Gives its result, and has a thread that would end the process a little later. */
    static class Leaving implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            System.out.println("process " + ProcessHandle.current().pid());
            Thread thread = new Thread(() -> {
                try {
                    new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                System.exit(3);
            });
            thread.setDaemon(true);
            if (!Boolean.getBoolean("has left")) {
                System.setProperty("has left", "true");
                thread.start();
            }
            data.output("output", 9);
        }
    }

    /** Starts a child, and a daemon that does not descend from it any more, both with its streams. */
    static class Parent implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) throws Exception {
            System.out.println("process " + ProcessHandle.current().pid());
            new ProcessBuilder("sh", "-c", "setsid sleep 1000 & echo process $!")
                    .inheritIO()
                    .start()
                    .waitFor();
            new ProcessBuilder("cat").inheritIO().start();
            data.output("output", 10);
        }
    }

    /** Closes what it prints to. */
    static class Closing implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) throws IOException {
            System.out.println("process " + ProcessHandle.current().pid());
            System.out.close();
            System.err.close();
            new FileOutputStream(FileDescriptor.out).close();
            data.output("output", 11);
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
        return jvm.compute(requestFor(model, limitMillis), Files.createTempDirectory(folder, "model"));
    }

    private static ModelRequest requestFor(Class<? extends RankModel> model, long limitMillis) {
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
        return new ModelRequest(new Variant(test, "a2a3sim", Map.of()), limitMillis, List.of());
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
                                + ").\nNo rank was started. A model must only compute and return.",
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
    void whatAModelLeavesRunningDoesNotMeetTheNext() throws Exception {
        assertThat(compute(Leaving.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(processes()).hasSize(2);

        assertThat(compute(Parent.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        long last = processes().get(processes().size() - 1);
        mark.bearers().stream()
                .filter(process -> process.pid() != last)
                .forEach(process -> process.onExit().join());
        assertThat(mark.bearers()).extracting(ProcessHandle::pid).containsExactly(last);
    }

    @Test
    void theEndOfTheParentEndsWhatModelsHaveStarted() throws Exception {
        Path request = Files.createTempDirectory(folder, "model");
        Files.write(
                request.resolve(ModelMain.REQUEST),
                new RecordCodec().encode(requestFor(Parent.class, ANY_TIME), ModelRequest.class));
        List<String> command = new ArrayList<>(command());
        command.add("token");
        ProcessBuilder builder = new ProcessBuilder(command);
        mark.putInto(builder.environment());
        Process process = builder.start();
        try (BufferedReader lines = process.inputReader()) {
            process.getOutputStream().write((request + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            assertThat(lines.lines().anyMatch("token"::equals)).isTrue();
            assertThat(mark.bearers()).hasSizeGreaterThan(2);

            process.getOutputStream().close();
            process.waitFor();
        }
        mark.bearers().forEach(started -> started.onExit().join());
    }

    @Test
    void aModelThatClosesItsOutputIsAnsweredFor() throws Exception {
        assertThat(compute(Closing.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);
        assertThat(compute(Talking.class, ANY_TIME)).isInstanceOf(ModelAnswer.Computed.class);

        assertThat(processes()).hasSize(1);
        assertThat(printed).contains("to the other stream");
    }

    @Test
    void aDiskThatIsFullIsNotTheFaultOfTheModel() throws Exception {
        Path into = folder.resolve("full");
        Path outputs = into.resolve("outputs");
        PrivateFolder.create(outputs.resolve("rank_0"));
        Files.createSymbolicLink(outputs.resolve("rank_0/output.bin"), Path.of("/dev/full"));

        ModelAnswer answer = jvm.compute(requestFor(Talking.class, ANY_TIME), into);

        assertThat(answer)
                .isEqualTo(new ModelAnswer.Refused(
                        "Test.method: the golden model " + Talking.class.getName()
                                + ": its results cannot be written to " + into
                                + ": java.io.IOException: No space left on device. Make room there, or set XDG_CACHE_HOME.",
                        false));
        assertThat(outputs).as("what the answer may need the room of").doesNotExist();
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
