package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.device.Device;

/** Communicators of a library that is not ours: one of plain C, without any of RankUnit's additions. */
@Tag("unit")
@Timeout(30)
class ForeignLibraryTest {

    /** Where that library says what its comm_init was given. */
    private static final int SEEN = 8;

    @TempDir
    Path folder;

    private final Device device = Device.open("a2a3sim", 7);

    @AfterEach
    void closeDevice() {
        device.close();
    }

    private Communicator open(String kind, CommInitForm form) {
        return open(new ForeignLibrary(TestLibraries.foreign(kind), form));
    }

    private Communicator open(ForeignLibrary library) {
        return Communicator.open(
                new CommunicatorConfig(
                        0, 1, new Rendezvous.File(folder.resolve("root")), 4096, Duration.ofSeconds(10), library),
                device);
    }

    @ParameterizedTest
    @CsvSource({
        "stream,  STREAM,     1000",
        "stream,  BY_LIBRARY, 1000",
        "device,  DEVICE,     2007",
        "plain,   PLAIN,      3000",
        "telling, BY_LIBRARY, 2007"
    })
    void eachFormOfCommInitGetsItsArguments(String kind, CommInitForm form, long seen) {
        try (Communicator comm = open(kind, form)) {
            assertThat(RankScenario.readLong(device, comm.deviceContext() + SEEN))
                    .isEqualTo(seen);
        }
    }

    @Test
    void itsWindowsAreMemoryOfTheDevice() {
        Communicator comm = open("stream", CommInitForm.STREAM);
        comm.barrier();
        comm.window(0).putLong(8, 42);

        assertThat(RankScenario.readLong(device, comm.windowBase() + 8)).isEqualTo(42);
        assertThat(comm.window(0).size()).isEqualTo(4096);

        comm.close();
        assertThatCode(() -> device.zero(comm.windowBase(), 1)).hasMessageContaining("is in no device memory");
        // Not a descriptor, nor an address, is still taken by the first one.
        open("stream", CommInitForm.STREAM).close();
    }

    @Test
    void whatItLacksIsSaidOnlyToWhoNeedsIt() {
        try (Communicator comm = open("stream", CommInitForm.STREAM)) {
            comm.abort(0, "nobody hears it");
            comm.setTimeout(Duration.ofSeconds(1));

            assertThat(catchThrowableOfType(CommException.class, () -> comm.barrier(Duration.ofSeconds(1))))
                    .hasMessageEndingWith("libforeign_stream.so does not export comm_set_timeout")
                    .extracting(CommException::error)
                    .isEqualTo(CommError.NOT_SUPPORTED);
            assertThat(catchThrowableOfType(CommException.class, () -> comm.domain(64, 0)))
                    .hasMessageEndingWith("libforeign_stream.so does not export comm_alloc_domain_windows");
            assertThat(catchThrowableOfType(
                            CommException.class,
                            () -> comm.plan(
                                    "it",
                                    1,
                                    new TaskPlan.Setting(0, 0, 0),
                                    new TaskPlan.Tasks(new long[TaskPlan.WORDS], ""))))
                    .hasMessageEndingWith("libforeign_stream.so does not export coll_plan_create")
                    .extracting(CommException::error)
                    .isEqualTo(CommError.NOT_SUPPORTED);
            assertThat(catchThrowableOfType(
                            CommException.class, () -> comm.vendorCollectives().broadcast(0, 1, 0, 0)))
                    .hasMessageEndingWith("libforeign_stream.so does not export coll_vendor_run")
                    .extracting(CommException::error)
                    .isEqualTo(CommError.NOT_SUPPORTED);
        }
    }

    @Test
    void itsNumbersAreNotTakenForOurs() {
        try (Communicator comm = open("stream", CommInitForm.STREAM)) {
            comm.window(0).put(0, new byte[] {4});

            assertThat(catchThrowableOfType(CommException.class, comm::barrier))
                    .hasMessageMatching("rank 0 of 1, barrier: .*libforeign_stream.so: comm_barrier returned 4")
                    .extracting(CommException::error)
                    .isEqualTo(CommError.UNKNOWN);
        }
    }

    @Test
    void missingFunctionsAreNamedAllAtOnce() {
        assertThat(catchThrowableOfType(CommException.class, () -> open("lacking", CommInitForm.STREAM)))
                .hasMessageEndingWith(
                        "libforeign_lacking.so: it is not a communication library: it does not export comm_barrier")
                .extracting(CommException::error)
                .isEqualTo(CommError.NO_LIBRARY);
        assertThat(catchThrowableOfType(
                        CommException.class,
                        () -> open(new ForeignLibrary(TestLibraries.kernels(), CommInitForm.STREAM))))
                .hasMessageEndingWith("it does not export comm_init, comm_alloc_windows, comm_get_local_window_base,"
                        + " comm_get_window_size, comm_barrier, comm_destroy");
    }

    @Test
    void whatIsNoLibraryIsNamed() throws Exception {
        Path text = Files.writeString(folder.resolve("text.so"), "dear diary");

        assertThat(catchThrowableOfType(CommException.class, () -> open(new ForeignLibrary(text, CommInitForm.STREAM))))
                .hasMessageContaining(text + ": it cannot be loaded: ");
    }

    @Test
    void whatItRefusesIsSaidWithItsName() {
        ForeignLibrary library = new ForeignLibrary(TestLibraries.foreign("stream"), CommInitForm.STREAM);
        CommunicatorConfig two = new CommunicatorConfig(
                0, 2, new Rendezvous.File(folder.resolve("root")), 4096, Duration.ofSeconds(1), library);

        assertThat(catchThrowableOfType(CommException.class, () -> Communicator.open(two, device)))
                .hasMessageMatching("rank 0 of 2, init: .*libforeign_stream.so: comm_init returned NULL")
                .extracting(CommException::error)
                .isEqualTo(CommError.INIT_FAILED);
    }
}
