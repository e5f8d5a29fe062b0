package org.rankunit.collective.algorithms.staged;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

/**
 * Another algorithm in single-operator mode: the input is copied to CCL_In, the algorithm runs from there to CCL_Out, and the result is
 * copied to the output. Data that does not fit in these buffers is done in chunks, for which each buffer has two halves: two sub
 * streams copy the next chunk in and the one before out while the algorithm runs.
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
    public Optional<String> unsupportedReason(CollectiveCall call) {
        if (call.memory() != MemoryMode.SINGLE_OPERATOR) {
            return Optional.of("needs single-operator mode");
        }
        if (!call.counts().isEmpty()) {
            return Optional.of("needs the same number of elements on each rank");
        }
        Chunks chunks = Chunks.of(call);
        if (call.count() > 0 && chunks.largest() == 0) {
            return Optional.of("needs CCL buffers of " + Chunks.bytesOfOneElement(call) + " bytes");
        }
        CollectiveCall chunk = chunks.call(0);
        if (inner.resources(chunk, call.root()).scratchBytes() > 0) {
            return Optional.of("needs an algorithm without scratch memory");
        }
        return inner.unsupportedReason(chunk);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Chunks chunks = Chunks.of(call);
        Resources own = inner.resources(chunks.call(0), rank);
        if (!chunks.halves()) {
            return own;
        }
        int subStreams = own.subStreams();
        int notifies = own.notifies();
        for (BufferKind buffer : List.of(BufferKind.INPUT, BufferKind.OUTPUT)) {
            if (CopyStream.isNeeded(call, buffer, rank)) {
                subStreams++;
                notifies += CopyStream.NOTIFIES;
            }
        }
        return new Resources(own.scratchBytes(), subStreams, notifies, own.links());
    }

    @Override
    public void orchestrate(Orchestration self) {
        Chunks chunks = Chunks.of(self.call());
        List<CopyStream> copies = copies(self, chunks);
        if (chunks.halves()) {
            inHalves(self, chunks, copies);
            return;
        }
        for (long chunk = 0; chunk < chunks.number(); chunk++) {
            if (CopyStream.isNeeded(self.call(), BufferKind.INPUT, self.rank())) {
                copies.get(0).copy(self.main(), chunk);
            }
            inner.orchestrate(new ChunkOrchestration(self, chunks, chunk));
            if (CopyStream.isNeeded(self.call(), BufferKind.OUTPUT, self.rank())) {
                copies.get(copies.size() - 1).copy(self.main(), chunk);
            }
        }
    }

    /** Those of the input and of the output, if the rank has them. */
    private List<CopyStream> copies(Orchestration self, Chunks chunks) {
        Resources own = inner.resources(chunks.call(0), self.rank());
        List<CopyStream> copies = new ArrayList<>();
        int notify = own.notifies();
        for (BufferKind buffer : List.of(BufferKind.INPUT, BufferKind.OUTPUT)) {
            if (CopyStream.isNeeded(self.call(), buffer, self.rank())) {
                copies.add(new CopyStream(self, chunks, buffer, own.subStreams() + copies.size(), notify));
                notify += CopyStream.NOTIFIES;
            }
        }
        return copies;
    }

    /** While a chunk in one half is exchanged, the next one is copied to the other half, and the one before from there. */
    private void inHalves(Orchestration self, Chunks chunks, List<CopyStream> copies) {
        copies.forEach(CopyStream::start);
        for (long chunk = 0; chunk < chunks.number(); chunk++) {
            for (CopyStream each : copies) {
                each.awaitHalf(chunk);
            }
            inner.orchestrate(new ChunkOrchestration(self, chunks, chunk));
            for (CopyStream each : copies) {
                each.releaseHalf(chunk);
            }
        }
        copies.forEach(CopyStream::join);
        copies.forEach(CopyStream::copyAll);
    }
}
