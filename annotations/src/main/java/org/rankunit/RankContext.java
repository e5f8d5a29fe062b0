package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Device;
import org.rankunit.device.Kernel;

/**
 * This rank of a device test: its number, its communicator, its buffers.
 *
 * <p>Every method of a device test, lifecycle methods included, may take a {@code RankContext} as a parameter:
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(2)
 * void everyRankKnowsItself(RankContext rank) {
 *     assertThat(rank.rankCount()).isEqualTo(2);
 *     rank.barrier();
 * }
 * }</pre>
 *
 * <p>The communicator is ready before the first test method of the first class runs. Any thread may call any method,
 * but all ranks must make their collective calls in the same order, as with every communicator.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface RankContext {

    /** Get this rank's number in [0, {@link #rankCount()}). */
    int rank();

    /** Get the number of ranks of this test (the world size). */
    int rankCount();

    /** Get the id, in the device pool, of the device that this rank has while it runs. */
    int deviceId();

    /** Get the platform this test runs on, for example {@code a2a3sim}. */
    String platform();

    /**
     * Find a parameter of this run: the value of {@code rankunit.param.<name>}, the same on all ranks; empty if it is
     * not set. In {@code mvn test -Drankunit.param.root=2} it is the parameter {@code root}.
     */
    Optional<String> parameter(String name);

    /**
     * Get a parameter of this run as a whole number, or {@code defaultValue} if it is not set.
     *
     * <pre>{@code
     * int root = rank.intParameter("root", 0);
     * }</pre>
     *
     * @throws IllegalArgumentException if it is not a whole number; the message names the key and its value
     */
    int intParameter(String name, int defaultValue);

    /**
     * Wait until every rank has called this method as often as this rank.
     *
     * @throws org.rankunit.comm.CommException if a rank failed or died meanwhile, or the communicator's time-out passed
     */
    void barrier();

    /**
     * Wait until every rank has called this method as often as this rank, but no longer than {@code timeout}.
     *
     * @throws org.rankunit.comm.CommException if a rank failed or died meanwhile, or the time-out passed
     */
    void barrier(Duration timeout);

    /** Get the communicator: the address of its device context, this rank's window and its actual size. */
    Communicator communicator();

    /**
     * Get this rank's device, for memory, streams, events and notifies of the test's own. It serves other tests too: the
     * test closes what it creates there, and never the device itself.
     */
    Device device();

    /**
     * Find a buffer of the running test.
     *
     * @throws IllegalArgumentException if the test declares no such buffer; the message lists those that it declares
     * @throws IllegalStateException outside a test, for example in {@code @BeforeAll}: buffers belong to one test
     */
    RankBuffer buffer(String name);

    /**
     * Get the buffers of the running test by name, in the order of their declaration; errors as with {@link #buffer}.
     */
    Map<String, RankBuffer> buffers();

    /**
     * Load a kernel, once per JVM: from the test's class path, or compiled from its source.
     *
     * <p>On the simulators, the kernel is the function {@code name} of the shared library
     * {@code kernels/<platform>/lib<name>.so}, compiled against {@code kernel.h}; on hardware, it is that function of
     * the device binary {@code kernels/<platform>/<name>.o}. If there is no library for a simulator, RankUnit compiles
     * {@code <name>.cpp} in {@code aiv} or {@code aic} of {@code src/test/kernels} or of {@code kernels} on the class
     * path; it does so before the ranks start.
     *
     * @throws IllegalArgumentException if there is no such library for this platform, or its source does not compile;
     *     the message says where it was searched for, or has the compiler's lines
     */
    Kernel kernel(String name);
}
