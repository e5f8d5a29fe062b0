package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenFiles;
import org.rankunit.GoldenModel;
import org.rankunit.Platforms;
import org.rankunit.RankTimeout;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** What is said of golden models that are wrong; none of their tests gets a device. */
@Tag("ranks")
@Timeout(120)
class BadGoldenModelsTest {

    private static final AtomicInteger CALLS = new AtomicInteger();

    static class Throwing implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", 1f, 2f);
            if (rank.rank() == 1) {
                throw new ArithmeticException("no such sum");
            }
        }
    }

    static class WrongSize implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", 1f, 2f, 3f);
        }
    }

    static class WrongType implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", 1.0, 2.0);
        }
    }

    static class UnknownBuffer implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("ouput", 1f, 2f);
        }
    }

    static class NoOutput implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.input("input", 1, 2);
            if (rank.rank() == 0) {
                data.unwritten("output");
            }
        }
    }

    static class InputIntoOutput implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.input("output", 1f, 2f);
        }
    }

    static class OutputOfInput implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("input", 1, 2);
        }
    }

    static class Twice implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", 1f, 2f);
            data.unwritten("output");
        }
    }

    static class Random implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            data.output("output", 1f, rank.rank() == 1 ? 1000 + CALLS.incrementAndGet() : 2f);
        }
    }

    static class Endless implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    static class Exiting implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            System.exit(3);
        }
    }

    static class Halting implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            Runtime.getRuntime().halt(0);
        }
    }

    static class Crashing implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            new Pointer(8).getInt(0);
        }
    }

    static class Busy implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {
            long sum = 0;
            while (sum >= 0) {
                sum = Math.abs(sum - 1) % 1000;
            }
        }
    }

    static class Deep implements RankModel {
        @Override
        @SuppressWarnings("InfiniteRecursion")
        public void compute(ModelRank rank, ModelData data) {
            compute(rank, data);
        }
    }

    static class WithArgument implements RankModel {
        WithArgument(int ignored) {}

        @Override
        public void compute(ModelRank rank, ModelData data) {}
    }

    @SuppressWarnings("ClassCanBeStatic")
    class Inner implements RankModel {
        @Override
        public void compute(ModelRank rank, ModelData data) {}
    }

    abstract static class Unfinished implements RankModel {}

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Buffer(name = "input", type = DType.INT32, count = 2, role = Buffer.Role.INPUT)
    @Buffer(name = "output", type = DType.FLOAT32, count = 2, role = Buffer.Role.OUTPUT)
    static class Bad {

        @Test
        @GoldenModel(Throwing.class)
        void throwing() {}

        @Test
        @GoldenModel(WrongSize.class)
        void wrongSize() {}

        @Test
        @GoldenModel(WrongType.class)
        void wrongType() {}

        @Test
        @GoldenModel(UnknownBuffer.class)
        void unknownBuffer() {}

        @Test
        @GoldenModel(NoOutput.class)
        void noOutput() {}

        @Test
        @GoldenModel(InputIntoOutput.class)
        void inputIntoOutput() {}

        @Test
        @GoldenModel(OutputOfInput.class)
        void outputOfInput() {}

        @Test
        @GoldenModel(Twice.class)
        void twice() {}

        @Test
        @GoldenModel(Random.class)
        void random() {}

        @Test
        @RankTimeout(1)
        @GoldenModel(Endless.class)
        void endless() {}

        @Test
        @GoldenModel(Exiting.class)
        void exiting() {}

        @Test
        @GoldenModel(Halting.class)
        void halting() {}

        @Test
        @GoldenModel(Crashing.class)
        void crashing() {}

        @Test
        @RankTimeout(1)
        @GoldenModel(Busy.class)
        void busy() {}

        @Test
        @GoldenModel(Deep.class)
        void deep() {}

        @Test
        @GoldenModel(WithArgument.class)
        void withArgument() {}

        @Test
        @GoldenModel(Inner.class)
        void inner() {}

        @Test
        @GoldenModel(Unfinished.class)
        void unfinished() {}

        @Test
        @GoldenModel(Throwing.class)
        @GoldenFiles("somewhere")
        void both() {}

        @Test
        @GoldenModel(Throwing.class)
        @Buffer(name = "a/b", type = DType.INT8, count = 1)
        void noFileName() {}

        @TestFactory
        @GoldenModel(Throwing.class)
        List<DynamicTest> factory() {
            return List.of();
        }
    }

    private static EngineRun run;
    private static Path folder;

    @BeforeAll
    static void run(@TempDir Path temporary) {
        folder = temporary;
        run = EngineRun.of(temporary, Map.of(), Bad.class);
    }

    @Test
    void noneOfTheirTestsGetsADevice() {
        assertThat(run.results(Bad.class)).hasSize(20).allMatch(result -> result.startsWith("FAILED"));
        assertThat(folder.resolve("out").resolve("logs")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            throwing      | Bad.throwing: the golden model M$Throwing threw java.lang.ArithmeticException: no such sum for rank 1 of 2 at M$Throwing.compute(BadGoldenModelsTest.java:
            wrongSize     | threw java.lang.IllegalArgumentException: buffer 'output' holds 2 x float32, and the model gives 3 x float32 for rank 0 of 2 at M$WrongSize.compute(
            wrongType     | buffer 'output' holds 2 x float32, and the model gives 2 x float64 for rank 0 of 2
            unknownBuffer | this test has no buffer 'ouput'; it declares [input, output] for rank 0 of 2
            noOutput      | the golden model M$NoOutput gives no output 'output' for rank 1 of 2. Give one: data.output("output", ...), or data.unwritten("output") for a rank that writes nothing. Or declare the buffer with unverified = true.
            inputIntoOutput | buffer 'output' has the role OUTPUT and takes no input. Declare it as INPUT or INOUT.
            outputOfInput | buffer 'input' has the role INPUT and is not an output. Declare it as OUTPUT or INOUT.
            twice         | the output of buffer 'output' was given twice
            random        | the golden model M$Random gave another output 'output': [1] was 1001.0 and then 1002.0, in two calls for rank 1 of 2. A model depends on its rank alone: give random numbers a fixed seed, and use no clock and no static state.
            endless       | the golden model M$Endless takes longer than 1000 ms for all ranks. For rank 0 of 2 it was at M$Endless.compute(
            busy          | the golden model M$Busy takes longer than 1000 ms for all ranks. For rank 0 of 2 it was at M$Busy.compute(
            exiting       | Bad.exiting: the golden model M$Exiting ended its process, which exited with code 3 at M$Exiting.compute(BadGoldenModelsTest.java:
            halting       | Bad.halting: the golden model M$Halting ended its process, which exited with code 0.
            crashing      | Bad.crashing: the golden model M$Crashing ended its process, which crashed in native code and was ended by SIGSEGV:
            crashing      | M$Crashing.compute(
            deep          | the golden model M$Deep threw java.lang.StackOverflowError for rank 0 of 2 at M$Deep.compute(
            withArgument  | @GoldenModel(WithArgument.class): M$WithArgument has no constructor without arguments. Add one.
            inner         | @GoldenModel(Inner.class): M$Inner is an inner class, and there is no instance of the outer one. Make it static.
            unfinished    | @GoldenModel(Unfinished.class): no instance of M$Unfinished can be created, because it is abstract. Name a class.
            both          | Bad.both: the test has @GoldenModel (M$Bad.both) and @GoldenFiles (M$Bad.both). Remove one of them.
            noFileName    | Bad.noFileName: @Buffer(name = "a/b") cannot be the name of a file, as @GoldenModel needs it. Use letters, digits, '_' and '-'.
            factory       | Bad.factory: @GoldenModel does not work with @TestFactory, whose dynamic tests share their buffers. Write a @Test or a @ParameterizedTest, or verify with Golden.
            """, quoteCharacter = '`')
    void theMessageSaysWhereAndWhat(String test, String text) {
        assertThat(run.message(Bad.class, test + "()"))
                .contains(text.replace("M$", "org.rankunit.engine.BadGoldenModelsTest$"));
    }
}
