package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.comm.Communicator;
import org.rankunit.device.Device;
import org.rankunit.device.Kernel;
import org.rankunit.graph.Orchestration;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/**
 * This rank of a device test: its number, its communicator, its buffers.
 *
 * <p>Every method of a device test, lifecycle methods included, may take a {@code RankContext} as a parameter:
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(2)
 * void everyRankKnowsItself(RankContext rank) {
 *     assertThat(rank.worldSize()).isEqualTo(2);
 *     rank.barrier();
 * }
 * }</pre>
 *
 * <p>The communicator is ready before the first test method of the first class runs. Any thread may call any method,
 * but all ranks must make their collective calls in the same order, as with every communicator. With
 * {@link DeviceCount#communicator() @DeviceCount(communicator = false)} there is no communicator, and the methods that
 * need one throw an {@link IllegalStateException} that says so.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface RankContext {

    /** Get this rank's number in [0, {@link #worldSize()}). */
    int rank();

    /** Get the number of ranks of this test (the world size). */
    int worldSize();

    /**
     * Get the name of the node of the cluster that this rank runs on; empty if all ranks run on one machine, without a
     * cluster.
     */
    String node();

    /** Get the node of each rank, in the order of the ranks; each is empty if there is no cluster. */
    List<String> nodes();

    /** Get this rank's number among the ranks of its test on the same node, counted from 0. */
    int localRank();

    /**
     * Get the id, in the device pool, of the device that this rank has while it runs; on a node of
     * a cluster, its number there.
     */
    int deviceId();

    /**
     * Get what this rank knows of all ranks of the communicator, itself included, in their order: the table from which
     * addresses in other ranks' windows follow.
     *
     * @throws IllegalStateException if the ranks have no communicator
     */
    List<Peer> peers();

    /**
     * Get the start of this rank's window, where {@link Window#syncPrefix()} keeps bytes free of buffers: the place of
     * semaphores, which are zero when a test begins.
     *
     * @throws IllegalStateException if the test reserves no such bytes, if the ranks have no communicator, or outside a
     *     test
     */
    long semaphoreBase();

    /** Get the platform this test runs on, for example {@code a2a3sim}. */
    String platform();

    /** Get the runtime that this test runs with, one of {@link DeviceRuntime}; empty if it names none. */
    String runtime();

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
     * @throws IllegalStateException if the ranks have no communicator
     */
    void barrier();

    /**
     * Wait until every rank has called this method as often as this rank, but no longer than {@code timeout}.
     *
     * @throws org.rankunit.comm.CommException if a rank failed or died meanwhile, or the time-out passed
     * @throws IllegalStateException if the ranks have no communicator
     */
    void barrier(Duration timeout);

    /**
     * Get the values of all ranks on every rank, in the order of the ranks. Waits for the others twice, as {@link #barrier()} does.
     *
     * <p>For checks, not for speed: values go through files of this machine, and each rank holds those of all. Types and lengths may
     * differ from rank to rank.
     *
     * <pre>{@code
     * List<Values> all = rank.allGather(rank.buffer("part").read());
     * }</pre>
     *
     * @throws org.rankunit.comm.CommException if a rank failed or died meanwhile, or the communicator's time-out passed
     * @throws IllegalStateException if the ranks have no communicator, or if another rank is in a barrier instead
     * @throws java.io.UncheckedIOException if the values cannot be written or read
     */
    List<Values> allGather(Values own);

    /**
     * Get the communicator: the address of its device context, this rank's window and its actual size.
     *
     * @throws IllegalStateException if the ranks have none
     */
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
     * Get the arguments that the running test declares with {@link KernelArguments}, in that order, for
     * {@link org.rankunit.graph.TaskGraph#run(List)}, a task or a kernel.
     *
     * @throws IllegalStateException if the test declares none, or outside a test
     * @throws IllegalArgumentException if the parameter {@code root} is declared and is not the number of a rank
     */
    List<TaskArgument> arguments();

    /**
     * Create an empty task graph of this test's {@linkplain #runtime() runtime}; the caller closes it.
     *
     * @throws IllegalStateException if the test names no runtime of task graphs
     * @throws org.rankunit.device.DeviceException if this platform has no task graphs; only simulators have them
     */
    TaskGraph createGraph(String name);

    /**
     * Find an orchestration function, which makes the tasks of a graph: the function {@code name}, which is found in the
     * same way as a {@linkplain #kernel kernel}. Its source is {@code <name>.cpp} in {@code orchestration}.
     *
     * @throws IllegalArgumentException as with {@link #kernel}
     */
    Orchestration orchestration(String name);

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

    /**
     * One rank as another one sees it.
     *
     * @param deviceId id of its device in the device pool
     * @param windowBase address at which the rank that asks can access its window
     * @param windowSize size of its window in bytes
     */
    record Peer(int rank, int deviceId, long windowBase, long windowSize) {

        /**
         * Get the address in this peer's window that corresponds to an address in the window of {@code own}.
         *
         * @throws IllegalArgumentException if the address is not in that window
         */
        public long addressOf(Peer own, long address) {
            long offset = address - own.windowBase;
            if (offset < 0 || offset >= own.windowSize) {
                throw new IllegalArgumentException("0x" + Long.toHexString(address) + " is not in the window of rank "
                        + own.rank + ", which begins at 0x" + Long.toHexString(own.windowBase) + " and has "
                        + own.windowSize + " bytes");
            }
            return windowBase + offset;
        }

        @Override
        public String toString() {
            return "rank " + rank + " on device " + deviceId + ": window of " + windowSize + " bytes at 0x"
                    + Long.toHexString(windowBase);
        }
    }
}
