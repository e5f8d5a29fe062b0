package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.KernelArguments;
import org.rankunit.Placement;
import org.rankunit.Window;

/** What is said of mistakes in the declared runtimes, kernel arguments, and what needs a communicator. */
@Tag("ranks")
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

    @DeviceCount(value = 1, communicator = false)
    @Buffer(name = "x", type = DType.INT8, count = 1)
    static class WindowApart {

        @Test
        @Buffer(name = "y", type = DType.INT8, count = 1, placement = Placement.WINDOW)
        void test() {}
    }

    @DeviceCount(value = 1, communicator = false)
    static class PrefixApart {

        @Test
        @Window(syncPrefix = 256)
        void test() {}
    }

    @DeviceCount(value = 1, communicator = false)
    static class ContextApart {

        @Test
        @KernelArguments({"nranks", "deviceCtx"})
        void test() {}
    }

    @DeviceCount(1)
    static class OtherShape {

        @Test
        @Buffer(
                name = "x",
                type = DType.INT8,
                count = 7,
                shape = {2, 3})
        void test() {}
    }

    @DeviceCount(1)
    static class NoShape {

        @Test
        @Buffer(
                name = "x",
                type = DType.INT8,
                shape = {2, 0})
        void test() {}
    }

    @DeviceCount(1)
    static class NoOutput {

        @Test
        @Buffer(name = "x", type = DType.INT8, count = 1, unverified = true)
        void test() {}
    }

    @Test
    void shapesAndRolesAgreeWithTheRest() {
        assertThat(problem(OtherShape.class))
                .contains("has count = 7 and shape = [2, 3], which has 6 elements. Leave out one, or make them agree.");
        assertThat(problem(NoShape.class)).contains("has shape = [2, 0]. Each extent is at least 1");
        assertThat(problem(NoOutput.class))
                .contains("has unverified = true and role = PLAIN. Only an OUTPUT must be verified.");
    }

    @Test
    void withoutACommunicatorThereIsNoWindowAndNoContext() {
        assertThat(problem(WindowApart.class))
                .isEqualTo(": @Buffer(name = \"y\") is in the window" + leftOut(WindowApart.class)
                        + "put the buffer into device memory (placement = DEVICE).");
        assertThat(problem(PrefixApart.class))
                .isEqualTo(": @Window(syncPrefix = 256) applies to the window" + leftOut(PrefixApart.class)
                        + "leave @Window out.");
        assertThat(problem(ContextApart.class))
                .isEqualTo(": @KernelArguments names \"deviceCtx\", the context of the communicator"
                        + leftOut(ContextApart.class) + "leave that argument out.");
    }

    private static String leftOut(Class<?> type) {
        return ", and @DeviceCount(communicator = false) on " + type.getName()
                + " leaves the test without a communicator. Remove communicator = false, or ";
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
                .isEqualTo(": @KernelArguments(inputs = \"y\"): it is not a buffer among the arguments.");
        assertThat(problem(StrayOutput.class))
                .isEqualTo(": @KernelArguments(outputs = \"nranks\"): it is not a buffer among the arguments.");
    }

    /** Without the place, which is the method. */
    private static String problem(Class<?> type) {
        String message =
                EngineRun.filtered(List.of(selectClass(type)), Map.of()).message(type, "test()");
        assertThat(message).startsWith(type.getName() + ".test: @");
        return message.substring((type.getName() + ".test").length());
    }
}
