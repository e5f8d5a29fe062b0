package org.rankunit.engine.prepare.model;

import java.util.List;
import org.rankunit.engine.protocol.TestSelection;

/**
 * What a model gave for all ranks. The values are in files, one for each rank and buffer.
 *
 * @param inputs names of the buffers that every rank has an input for
 * @param outputs the outputs of all ranks
 * @param uses what the model used
 * @param madeMillis when it was computed, in milliseconds since the epoch
 */
public record ModelResult(List<String> inputs, List<TestSelection.Output> outputs, ModelUses uses, long madeMillis) {}
