package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.device.Device;

@Tag("ranks")
@Timeout(120)
class VendorCollectivesTest {

    @TempDir
    Path folder;

    /** On the libraries that stand for the vendor's, as the tests of C++ have them. */
    @ParameterizedTest
    @ValueSource(strings = {"vendor-8.1", "vendor-9"})
    void ranksOnEmulatedDevicesRunThoseOfTheVendor(String vendor) throws Exception {
        Path libraries = Path.of("target/native", vendor).toAbsolutePath();

        List<String> outputs = RankProcess.run(
                RankScenario.VENDOR, 2, folder, "a2a3", Map.of("LD_LIBRARY_PATH", libraries.toString()));

        String recorded = "\n1[]DONE 2[]DONE 3[]DONE 4[]DONE 1[0, 1]DONE";
        assertThat(outputs).containsExactly("2 3 1 10 2 20 1" + recorded, "2 30 1 10 2 20 1" + recorded);
    }

    @Test
    void theSimulatorRefusesThemAndSaysWhy() {
        try (Device device = Device.open("a2a3sim", 0);
                Communicator comm = Communicator.open(RankScenario.config(0, 1, folder.resolve("root")), device)) {
            VendorCollectives vendor = comm.vendorCollectives();

            assertThat(catchThrowableOfType(CommException.class, () -> vendor.allReduce(0, 0, 1, 0, 0)))
                    .hasMessage("rank 0 of 1, the vendor's all-reduce: these devices have no collectives of a vendor's"
                            + " own: it is HCCL that has some, on the platforms a2a3 and a5")
                    .extracting(CommException::error)
                    .isEqualTo(CommError.NOT_SUPPORTED);
            assertThat(comm.recorder().operations()).isEmpty();
            comm.barrier();
        }
    }
}
