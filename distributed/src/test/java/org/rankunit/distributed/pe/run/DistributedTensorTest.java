package org.rankunit.distributed.pe.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.MachineShape;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.machine.WorldPlacement.Spread;
import org.rankunit.distributed.pe.tensor.DistributedTensor;

@Tag("unit")
class DistributedTensorTest {

    private static final MachineShape SHAPE = new MachineShape(1, 2, 1, 1, 2);

    private final PeMachine machine =
            PeMachine.inOneProcess(WorldPlacement.of(SHAPE, 4), Costs.assumed(), QueueSettings.standard());

    @AfterEach
    void close() {
        machine.close();
    }

    private static Values matrix() {
        return Values.int32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }

    @Test
    void everyPartHasAllRowsOfItsColumns() {
        DistributedTensor tensor = machine.tensor(DType.INT32, 2, 8);
        tensor.copyFrom(matrix());
        assertThat(tensor.readPart(0)).isEqualTo(Values.int32(0, 1, 8, 9));
        assertThat(tensor.readPart(3)).isEqualTo(Values.int32(6, 7, 14, 15));
        assertThat(tensor.read()).isEqualTo(matrix());
    }

    @Test
    void aTensorIsZeroAtFirst() {
        assertThat(machine.tensor(DType.INT32, 1, 4).read()).isEqualTo(Values.int32(0, 0, 0, 0));
    }

    @Test
    void replicatedPartsAreEqual() {
        WorldPlacement inCubes =
                WorldPlacement.grid(SHAPE, 1, 2, 2, Spread.COLUMN_WISE, Spread.REPLICATED, Spread.COLUMN_WISE);
        DistributedTensor tensor = machine.tensor(inCubes, DType.INT32, 2, 8);
        tensor.copyFrom(matrix());
        assertThat(tensor.readPart(0)).isEqualTo(Values.int32(0, 1, 2, 3, 8, 9, 10, 11));
        assertThat(tensor.readPart(2)).isEqualTo(tensor.readPart(0));
        assertThat(tensor.readPart(3)).isEqualTo(Values.int32(4, 5, 6, 7, 12, 13, 14, 15));
        assertThat(tensor.read()).isEqualTo(matrix());
    }

    @Test
    void aReadAfterALaunchSeesWhatItHasLeft() {
        DistributedTensor tensor = machine.tensor(DType.INT32, 1, 4);
        InstalledKernel kernel = machine.install(
                pe -> {
                    for (int i = 0; i < 1000; i++) {
                        pe.store(pe.shard(0), pe.add(pe.load(pe.shard(0)), pe.load(pe.shard(1))));
                    }
                },
                PeTopology.RING_1D);
        DistributedTensor one = machine.tensor(DType.INT32, 1, 4);
        one.copyFrom(Values.int32(1, 2, 3, 4));
        CompletableFuture<LaunchResult> launched = machine.launch(kernel, Reduction.SUM, 1, tensor, one);
        assertThat(tensor.read()).isEqualTo(Values.int32(1000, 2000, 3000, 4000));
        assertThat(launched).isCompleted();
    }

    @Test
    void whatCannotBeDividedIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.tensor(DType.INT32, 1, 6))
                .withMessage("6 columns cannot be divided into 4 parts of the same size");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.tensor(WorldPlacement.of(SHAPE, 2), DType.INT32, 1, 4))
                .withMessage("the tensor is placed on other PEs than the machine");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.tensor(DType.INT32, 1, 4).readPart(4))
                .withMessage("PE 4 does not belong to this process, which has [0, 1, 2, 3]");
    }
}
