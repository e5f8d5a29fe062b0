package org.rankunit.engine.protocol;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One planned test: what Jupiter selects for it on the ranks, and what its author declared.
 *
 * @param uniqueId Jupiter's unique id of the test or template; the ids of everything it runs start with it
 * @param selected the unique ids to select: the test itself, or some of its invocations
 * @param buffers the declared buffers, each with its place in memory
 * @param goldens the inputs and expected outputs that are ready for it, or {@code null} if the test makes them itself
 */
public record TestSelection(
        String uniqueId,
        List<String> selected,
        List<BufferSpec> buffers,
        TestDeclaration declaration,
        @Nullable Goldens goldens) {

    /** A test that makes its inputs and goldens itself. */
    public TestSelection(
            String uniqueId, List<String> selected, List<BufferSpec> buffers, TestDeclaration declaration) {
        this(uniqueId, selected, buffers, declaration, null);
    }

    /** The same test with what is ready for it. */
    public TestSelection with(@Nullable Goldens ready) {
        return new TestSelection(uniqueId, selected, buffers, declaration, ready);
    }

    /**
     * Inputs and expected outputs in files, one for each rank and buffer.
     *
     * @param check the class that chooses the checks of the outputs
     * @param inputFolder has the inputs of all ranks
     * @param inputs the names of the buffers that are loaded
     * @param outputFolder has the expected outputs of all ranks
     * @param actualFolder where the actual outputs of all ranks are written if they are wrong
     * @param update whether the actual outputs are written there instead of being compared
     */
    public record Goldens(
            String check,
            String inputFolder,
            List<String> inputs,
            String outputFolder,
            List<Output> outputs,
            String actualFolder,
            boolean update) {

        /** The folder for the actual outputs of a test, or of an invocation of one. */
        public Path actualOf(String test, String uniqueId) {
            String invocation = uniqueId.substring(Math.min(test.length(), uniqueId.length()));
            return Path.of(
                    actualFolder + invocation.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("-$", ""));
        }
    }

    /**
     * An output that is verified.
     *
     * @param file the name of its file without an ending
     * @param unwrittenOn the ranks on which nothing must be written; these have no file
     */
    public record Output(String buffer, String file, List<Integer> unwrittenOn) {}
}
