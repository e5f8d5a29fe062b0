package org.rankunit.coll.algorithms.staged;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.MemoryMode;

/**
 * Another algorithm in single-operator mode: the input is copied to CCL_In, the algorithm runs from there to CCL_Out, and the result is
 * copied to the output. Data that does not fit in these buffers is done in chunks, one after the other.
 *
 * <p>The order of reduction is that of the other algorithm for a call of the size of each chunk.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Staged implements CollectiveAlgorithm {

    private final CollectiveAlgorithm inner;

    /** @param inner works on windows, without scratch memory that others reach */
    public Staged(CollectiveAlgorithm inner) {
        this.inner = inner;
    }

    @Override
    public String name() {
        return "Staged" + inner.name();
    }

    @Override
    public Collective collective() {
        return inner.collective();
    }

    @Override
    public Optional<String> whyNot(CollectiveCall call) {
        if (call.memory() != MemoryMode.SINGLE_OPERATOR) {
            return Optional.of("needs single-operator mode");
        }
        if (!call.counts().isEmpty()) {
            return Optional.of("needs as many elements on each rank");
        }
        if (call.count() > 0 && largestChunk(call) == 0) {
            return Optional.of("needs CCL buffers of " + bytesOfOneElement(call) + " bytes");
        }
        CollectiveCall chunk = chunk(call, 0);
        if (inner.resources(chunk, call.root()).scratchBytes() > 0) {
            return Optional.of("needs an algorithm without scratch memory");
        }
        return inner.whyNot(chunk);
    }

    /** What the larger one of both buffers holds for one element. */
    private static long bytesOfOneElement(CollectiveCall call) {
        return (hasParts(call) ? (long) call.ranks() : 1L) * call.elementBytes();
    }

    /** Whether the input or the output has a part for each rank. */
    private static boolean hasParts(CollectiveCall call) {
        return partsOfInput(call) || partsOfOutput(call);
    }

    private static boolean partsOfInput(CollectiveCall call) {
        return switch (call.collective()) {
            case REDUCE_SCATTER, SCATTER, ALL_TO_ALL -> true;
            default -> false;
        };
    }

    private static boolean partsOfOutput(CollectiveCall call) {
        return switch (call.collective()) {
            case ALL_GATHER, GATHER, ALL_TO_ALL -> true;
            default -> false;
        };
    }

    private static long largestChunk(CollectiveCall call) {
        return call.cclBytes() / bytesOfOneElement(call);
    }

    private static long chunks(CollectiveCall call) {
        long largest = largestChunk(call);
        return call.count() == 0 ? 1 : (call.count() + largest - 1) / largest;
    }

    /** The call of the other algorithm for a chunk. */
    private static CollectiveCall chunk(CollectiveCall call, long number) {
        long largest = largestChunk(call);
        long count = Math.min(largest, call.count() - number * largest);
        return call.withCount(count).withInPlace(false).withMemory(MemoryMode.WINDOWS, call.cclBytes());
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return inner.resources(chunk(call, 0), rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        for (long number = 0; number < chunks(call); number++) {
            CollectiveCall chunk = chunk(call, number);
            long done = number * largestChunk(call) * call.elementBytes();
            int rank = self.rank();
            if (call.inputBytes(rank) > 0) {
                Region staged = self.buffer(BufferKind.CCL_IN).part(0, chunk.inputBytes(rank));
                move(main, chunk, partsOfInput(call), self.input(), staged, done, true);
            }
            inner.orchestrate(new ChunkOrchestration(self, chunk));
            if (call.outputBytes(rank) > 0) {
                Region staged = self.buffer(BufferKind.CCL_OUT).part(0, chunk.outputBytes(rank));
                move(main, chunk, partsOfOutput(call), self.output(), staged, done, false);
            }
        }
    }

    /**
     * Copy a chunk.
     *
     * @param inParts whether there is a part for each rank, of which the chunk is a part each
     * @param whole the caller's buffer
     * @param done bytes of each part that chunks before this one have done
     * @param in whether it is copied from the caller's buffer, not to it
     */
    private static void move(
            TaskStream main,
            CollectiveCall chunk,
            boolean inParts,
            Region whole,
            Region staged,
            long done,
            boolean in) {
        int parts = inParts ? chunk.ranks() : 1;
        long bytes = staged.bytes() / parts;
        long stride = whole.bytes() / parts;
        for (int part = 0; part < parts; part++) {
            Region theirs = whole.part(part * stride + done, bytes);
            Region ours = staged.part(part * bytes, bytes);
            main.copy(in ? theirs : ours, in ? ours : theirs);
        }
    }
}
