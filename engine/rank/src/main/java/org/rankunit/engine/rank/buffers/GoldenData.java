package org.rankunit.engine.rank.buffers;

import java.util.List;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.engine.protocol.TestSelection;

/** The inputs and expected outputs of all ranks of a test. */
interface GoldenData {

    /** The names of the buffers that are loaded. */
    List<String> inputs();

    /** The input of a rank. */
    Values input(String name, int ofRank);

    /** The outputs that are verified. */
    List<TestSelection.Output> outputs();

    /** What is expected of a rank that writes this output. */
    Values expected(TestSelection.Output output, int ofRank, DType type);
}
