package org.rankunit.collective.exchange.msccl;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.exchange.msccl.program.Block;
import org.rankunit.collective.exchange.msccl.program.Program;

/**
 * An algorithm that {@link MscclFile#read} has read. It is for one number of ranks, and for counts that are multiples of {@link
 * #countStep()}. Its tasks know the lines of the file.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MscclAlgorithm implements CollectiveAlgorithm {

    private final Program program;

    MscclAlgorithm(Program program) {
        this.program = program;
    }

    @Override
    public String name() {
        return program.name();
    }

    @Override
    public Collective collective() {
        return program.collective();
    }

    /** The number of ranks that the file is for. */
    public int ranks() {
        return program.ranks();
    }

    /** The root that the file is for; 0 if the collective has none. */
    public int root() {
        return program.root();
    }

    /** Whether the file is for calls out of place; if not, it is for calls in place. */
    public boolean isForOutOfPlace() {
        return program.outOfPlace();
    }

    /** The smallest count, above 0, of a call: chunks are one element then. Other counts are multiples of it. */
    public long countStep() {
        return program.chunksOfCount();
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        if (call.ranks() != program.ranks()) {
            return Optional.of("is for " + program.ranks() + " ranks");
        }
        if (!call.counts().isEmpty()) {
            return Optional.of("needs the same number of elements on each rank");
        }
        if (call.collective().hasRoot() && call.root() != program.root()) {
            return Optional.of("is for root " + program.root());
        }
        if (!(call.inPlace() ? program.inPlace() : program.outOfPlace())) {
            return Optional.of("is for calls " + (program.inPlace() ? "in place" : "out of place"));
        }
        if (call.count() % countStep() != 0) {
            return Optional.of("needs a count that is a multiple of " + countStep());
        }
        return call.memory() == MemoryMode.WINDOWS ? Optional.empty() : whyNotInCclBuffers(call);
    }

    private Optional<String> whyNotInCclBuffers(CollectiveCall call) {
        Layout layout = new Layout(program, call);
        long most = 0;
        for (int rank = 0; rank < program.ranks(); rank++) {
            most = Math.max(most, layout.inboxBytes(rank));
        }
        return most > call.cclBytes()
                ? Optional.of("needs CCL buffers of " + most + " bytes for messages")
                : Optional.empty();
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return new Layout(program, call).resources(rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        List<Block> blocks = program.blocks().get(self.rank());
        Layout layout = new Layout(program, self.call());
        int subStreams = Math.max(0, blocks.size() - 1);
        for (int sub = 0; sub < subStreams; sub++) {
            self.main().post(self.notify(sub));
            self.sub(sub).waitFor(self.notify(sub));
        }
        for (int number = 0; number < blocks.size(); number++) {
            TaskStream stream = number == 0 ? self.main() : self.sub(number - 1);
            new BlockTasks(program, layout, self, stream, blocks.get(number), 2 * subStreams).queue();
        }
        for (int sub = 0; sub < subStreams; sub++) {
            self.sub(sub).post(self.notify(subStreams + sub));
            self.main().waitFor(self.notify(subStreams + sub));
        }
    }
}
