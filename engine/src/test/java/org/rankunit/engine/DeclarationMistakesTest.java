package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.kernel.KernelArguments;

/** What is said of mistakes in the declared runtimes and kernel arguments. */
class DeclarationMistakesTest {

    @DeviceCount(1)
    static class NoRuntime {

        @Test
        @DeviceRuntime({})
        void test() {}
    }

    @DeviceCount(1)
    static class RuntimeTwice {

        @Test
        @DeviceRuntime({"a", "b", "a"})
        void test() {}
    }

    @DeviceCount(1)
    @Buffer(name = "x", type = DType.INT8, count = 1)
    @Buffer(name = "y", type = DType.INT8, count = 1)
    static class Unknown {

        @Test
        @KernelArguments({"x", "z"})
        void test() {}
    }

    @DeviceCount(1)
    static class NoBuffers {

        @Test
        @KernelArguments("x")
        void test() {}
    }

    @DeviceCount(1)
    static class Empty {

        @Test
        @KernelArguments({})
        void test() {}
    }

    @DeviceCount(1)
    static class Ambiguous {

        @Test
        @Buffer(name = "root", type = DType.INT8, count = 1)
        @KernelArguments("root")
        void test() {}
    }

    @DeviceCount(1)
    @Buffer(name = "x", type = DType.INT8, count = 1)
    @Buffer(name = "y", type = DType.INT8, count = 1)
    static class StrayInput {

        @Test
        @KernelArguments(value = "x", inputs = "y")
        void test() {}
    }

    @DeviceCount(1)
    @Buffer(name = "x", type = DType.INT8, count = 1)
    static class StrayOutput {

        @Test
        @KernelArguments(
                value = {"x", "nranks"},
                outputs = "nranks")
        void test() {}
    }

    @Test
    void aRuntimeIsNamedOnce() {
        assertThat(problem(NoRuntime.class))
                .isEqualTo(": @DeviceRuntime names no runtime. Give at least one, or leave the annotation out.");
        assertThat(problem(RuntimeTwice.class))
                .isEqualTo(": @DeviceRuntime names \"a\" twice. Give each runtime once.");
    }

    @Test
    void anArgumentIsABufferOrAWord() {
        assertThat(problem(Unknown.class))
                .isEqualTo(": @KernelArguments names \"z\", which is neither a buffer of this test (x, y) nor one of"
                        + " deviceCtx, nranks, root.");
        assertThat(problem(NoBuffers.class)).contains("a buffer of this test (it declares none)");
        assertThat(problem(Empty.class))
                .isEqualTo(": @KernelArguments names no argument. Give at least one, or leave the annotation out.");
        assertThat(problem(Ambiguous.class))
                .isEqualTo(": @KernelArguments: \"root\" is a buffer of this test and a word of @KernelArguments. Give"
                        + " the buffer another name.");
    }

    @Test
    void inputsAndOutputsAreBuffersAmongTheArguments() {
        assertThat(problem(StrayInput.class))
                .isEqualTo(": @KernelArguments(inputs = \"y\"): it is no buffer among the arguments.");
        assertThat(problem(StrayOutput.class))
                .isEqualTo(": @KernelArguments(outputs = \"nranks\"): it is no buffer among the arguments.");
    }

    /** Without the place, which is the method. */
    private static String problem(Class<?> type) {
        String message =
                EngineRun.filtered(List.of(selectClass(type)), Map.of()).message(type, "test()");
        assertThat(message).startsWith(type.getName() + ".test: @");
        return message.substring((type.getName() + ".test").length());
    }
}
