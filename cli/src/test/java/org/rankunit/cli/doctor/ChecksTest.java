package org.rankunit.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Finding.Level;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.cli.doctor.machine.ControlGroupCheck;
import org.rankunit.cli.doctor.machine.CoresCheck;
import org.rankunit.cli.doctor.machine.FileSystemCheck;
import org.rankunit.cli.doctor.machine.LimitsCheck;
import org.rankunit.cli.doctor.machine.PoolFolderCheck;
import org.rankunit.cli.doctor.machine.SharedMemoryCheck;
import org.rankunit.cli.doctor.machine.SystemCheck;
import org.rankunit.cli.doctor.machine.SystemFolderCheck;
import org.rankunit.cli.doctor.machine.TemporaryFolderCheck;
import org.rankunit.cli.doctor.npu.CannCheck;
import org.rankunit.cli.doctor.npu.DeviceNodesCheck;
import org.rankunit.cli.doctor.npu.DriverCheck;
import org.rankunit.cli.doctor.npu.GarbageCollectorCheck;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.machine.Grant;
import org.rankunit.pool.machine.Machine;

/** Each check on a made-up machine below a folder. */
@Tag("unit")
class ChecksTest {

    @TempDir
    private Path root;

    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();

    private Host host() {
        return new Host(root, environment, properties::get, 8);
    }

    private void file(String path, String... lines) throws IOException {
        Path file = host().at(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }

    @ParameterizedTest
    @CsvSource({"17, OK", "21, OK", "25, OK", "19, WARN", "26, WARN", "11, FAIL", "1.8, FAIL"})
    void javaIsOneOfThoseThatTestsRunOn(String version, Level level) {
        properties.put("java.specification.version", version);

        assertThat(new JavaCheck(host()).look().level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"Linux, amd64, OK", "Linux, aarch64, OK", "Linux, riscv64, FAIL", "Mac OS X, aarch64, FAIL"})
    void thereAreNativeLibrariesForLinuxOnTwoProcessors(String system, String processor, Level level) {
        properties.putAll(Map.of("os.name", system, "os.arch", processor));

        assertThat(new SystemCheck(host()).look().level()).isEqualTo(level);
    }

    @Test
    void theSimulatorOfThisBuildWorks() {
        assertThat(NativeLibraryCheck.ofSimulator().look().level()).isEqualTo(Level.OK);
    }

    @Test
    void aNativeLibraryThatCannotBeLoadedIsAFailureWithItsText() {
        Finding finding = new NativeLibraryCheck(() -> {
                    throw new UnsatisfiedLinkError("failed to map segment");
                })
                .look();

        assertThat(finding.level()).isEqualTo(Level.FAIL);
        assertThat(finding.what()).endsWith("failed to map segment");
        assertThat(finding.advice()).contains("java.io.tmpdir");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/usr/local/Ascend/ascend-toolkit/latest/lib64", "/opt/cann/lib64", "/own"})
    void cannIsFoundWhereItUsuallyIsAndWhereTheEnvironmentSays(String folder) throws IOException {
        environment.putAll(Map.of("ASCEND_HOME_PATH", "/opt/cann", "LD_LIBRARY_PATH", ":relative:/own"));
        file(folder + "/libascendcl.so");
        file(folder + "/libhccl.so");

        assertThat(new CannCheck(host()).look())
                .isEqualTo(Finding.ok(folder + "/libascendcl.so, " + folder + "/libhccl.so"));
    }

    @Test
    void aRuntimeOfItsOwnIsFoundToo() throws IOException {
        file("/usr/local/Ascend/cann/lib64/libacl_rt.so");
        file("/usr/local/Ascend/cann/lib64/libhccl.so");

        assertThat(new CannCheck(host()).look().what())
                .isEqualTo("/usr/local/Ascend/cann/lib64/libacl_rt.so, /usr/local/Ascend/cann/lib64/libhccl.so");
    }

    @Test
    void withoutCannOnlyTheSimulatorIsThere() throws IOException {
        file("/usr/local/Ascend/cann/lib64/libhccl.so");

        Finding finding = new CannCheck(host()).look();

        assertThat(finding.level()).isEqualTo(Level.WARN);
        assertThat(finding.what()).isEqualTo("no libascendcl.so or libacl_rt.so: only the simulator is available");
        assertThat(finding.advice()).contains("/usr/local/Ascend/cann/lib64");
    }

    @Test
    void withoutHcclOneWayOfSharingWindowsIsMissing() throws IOException {
        file("/usr/local/Ascend/cann/lib64/libascendcl.so");

        Finding finding = new CannCheck(host()).look();

        assertThat(finding.level()).isEqualTo(Level.WARN);
        assertThat(finding.what()).endsWith("but no libhccl.so: windows cannot be HCCL's buffers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "rankunit.jvm-args"})
    void ranksOnNpusShouldNotUseZgc(String place) throws IOException {
        file("/dev/davinci0");
        environment.put(place, "-Xmx1g  -XX:+UseZGC");
        properties.put(place, "-Xmx1g  -XX:+UseZGC");

        Finding finding = new GarbageCollectorCheck(host()).look();

        assertThat(finding.level()).isEqualTo(Level.WARN);
        assertThat(finding.what()).startsWith(place + " has -XX:+UseZGC");
    }

    @Test
    void otherCollectorsAndMachinesWithoutNpusAreFine() throws IOException {
        environment.put("JAVA_TOOL_OPTIONS", "-XX:+UseZGC");
        assertThat(new GarbageCollectorCheck(host()).look().level()).isEqualTo(Level.OK);

        file("/dev/davinci0");
        environment.put("JAVA_TOOL_OPTIONS", "-XX:+UseG1GC");
        assertThat(new GarbageCollectorCheck(host()).look().level()).isEqualTo(Level.OK);
    }

    @Test
    void theDriverIsALibraryAndAProgram() throws IOException {
        file("/usr/local/Ascend/driver/lib64/driver/libascend_hal.so");
        assertThat(new DriverCheck(host()).look().what()).isEqualTo("no npu-smi on the PATH");

        environment.put("PATH", "/bin:/opt/bin");
        file("/opt/bin/npu-smi");
        assertThat(host().at("/opt/bin/npu-smi").toFile().setExecutable(true)).isTrue();
        assertThat(new DriverCheck(host()).look())
                .isEqualTo(Finding.ok("/usr/local/Ascend/driver/lib64/driver/libascend_hal.so, /opt/bin/npu-smi"));
    }

    @Test
    void withoutNodesOnlyTheSimulatorIsThere() {
        assertThat(new DeviceNodesCheck(host()).look().what())
                .isEqualTo("no /dev/davinci*: only the simulator is available");
    }

    @Test
    void theManagersNodesAreNeededToo() throws IOException {
        file("/dev/davinci0");
        file("/dev/davinci1");
        file("/dev/davinci_manager_docker");
        assertThat(new DeviceNodesCheck(host()).look().what())
                .isEqualTo("/dev/davinci0-1 can be opened, but this process may not open /dev/hisi_hdc");

        file("/dev/hisi_hdc");
        assertThat(new DeviceNodesCheck(host()).look()).isEqualTo(Finding.ok("/dev/davinci0-1 can be opened"));
    }

    @Test
    void aMistakeInTheKeysIsAFailureOfTheDevices() {
        Finding finding = new InventoryCheck(Doctor.Pool.none("rankunit.devices = \"9\": no such device")).look();

        assertThat(finding.level()).isEqualTo(Level.FAIL);
        assertThat(finding.what()).isEqualTo("rankunit.devices = \"9\": no such device");
    }

    @Test
    void theDevicesThatAreLentAreSaidByPlatform() {
        assertThat(new InventoryCheck(pool(2, List.of("no NPU"))).look()).isEqualTo(Finding.ok("a2a3sim 0-1; no NPU"));
        assertThat(new InventoryCheck(pool(0, List.of())).look().level()).isEqualTo(Level.FAIL);
    }

    private Doctor.Pool pool(int devices, List<String> notes) {
        return new Doctor.Pool(
                Optional.of(new PoolConfig(root.resolve("pool"), Map.of()).with(Inventory.ofFirst(devices, "a2a3sim"))),
                new Machine(List.of(), Map.of(), "", List.of()),
                new Grant(Grant.ALL, List.of(), false, List.of()),
                notes);
    }

    @Test
    void aPoolFolderThatIsAbsentIsNotMadeByLooking() {
        PoolConfig config = pool(2, List.of()).config().orElseThrow();

        assertThat(new PoolFolderCheck(config).look().level()).isEqualTo(Level.OK);
        assertThat(config.folder()).doesNotExist();
    }

    @Test
    void aPoolFolderThatIsNoFolderIsAFailureThatSaysWhatToDo() throws IOException {
        PoolConfig config = pool(2, List.of()).config().orElseThrow();
        file("/pool");

        Finding finding = new PoolFolderCheck(config).look();

        assertThat(finding.level()).isEqualTo(Level.FAIL);
        assertThat(finding.what()).contains("is not a folder");
        assertThat(finding.advice()).startsWith("Set rankunit.pool-dir");
    }

    @Test
    void whoSharesThePoolFolderIsSaid() {
        PoolConfig config = pool(2, List.of()).config().orElseThrow();
        assertThat(org.rankunit.pool.DevicePool.open(config).folder()).exists();

        assertThat(new PoolFolderCheck(config).look().what()).contains("(rwx------), for ", " only");
    }

    @ParameterizedTest
    @CsvSource({"/pools/ours, nfs4, FAIL", "/local/pool, ext4, OK", "/with blank/pool, fuse.sshfs, WARN"})
    void locksNeedALocalFileSystem(String folder, String type, Level level) throws IOException {
        file(
                "/proc/self/mounts",
                "/dev/vda / ext4 rw 0 0",
                "server:/x /pools nfs4 rw 0 0",
                "sshfs /with\\040blank fuse.sshfs rw 0 0");

        Finding finding = new FileSystemCheck(host(), Path.of(folder)).look();

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.what()).contains(" is on " + type);
    }

    @Test
    void aPoolBesideTheSharedOneIsAWarning() throws IOException {
        assertThat(new SystemFolderCheck(host(), Path.of("/tmp/own")).look().level())
                .isEqualTo(Level.OK);

        Files.createDirectories(host().at("/var/lib/rankunit/pool"));
        assertThat(new SystemFolderCheck(host(), Path.of("/tmp/own")).look().level())
                .isEqualTo(Level.WARN);
        assertThat(new SystemFolderCheck(host(), PoolConfig.SYSTEM_FOLDER)
                        .look()
                        .level())
                .isEqualTo(Level.OK);
    }

    @Test
    void librariesCannotBeLoadedFromATemporaryFolderThatIsMountedNoexec() throws IOException {
        properties.put("java.io.tmpdir", root.toString());
        file("/proc/self/mounts", "/dev/vda / ext4 rw 0 0");
        assertThat(new TemporaryFolderCheck(host()).look().level()).isEqualTo(Level.OK);

        file("/proc/self/mounts", "/dev/vda / ext4 rw 0 0", "tmpfs " + root + " tmpfs rw,nosuid,noexec 0 0");
        assertThat(new TemporaryFolderCheck(host()).look().level()).isEqualTo(Level.FAIL);
    }

    @Test
    void smallLimitsAreAWarningWithTheCommandThatRaisesThem() throws IOException {
        file(
                "/proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max processes             unlimited            unlimited            processes ",
                "Max open files            256                  524288               files     ",
                "Max locked memory         8388608              8388608              bytes     ");

        assertThat(new LimitsCheck(host()).look())
                .isEqualTo(Finding.warn(
                        "open files 256, processes unlimited, locked memory 8 MiB: low for many ranks",
                        "Raise them: ulimit -n 1024"));
    }

    @Test
    void theTightestGroupAroundThisProcessCounts() throws IOException {
        file("/proc/self/cgroup", "0::/jobs/one");
        file("/sys/fs/cgroup/jobs/one/memory.max", "max");
        file("/sys/fs/cgroup/jobs/one/pids.max", "4096");
        file("/sys/fs/cgroup/jobs/memory.max", "1073741824");

        assertThat(new ControlGroupCheck(host()).look())
                .isEqualTo(Finding.warn(
                        "memory 1 GiB, processes and threads 4096: low for many ranks",
                        "For more ranks, give it at least 2 GiB of memory"));
    }

    @Test
    void theFirstVersionOfControlGroupsIsUnderstood() throws IOException {
        file("/proc/self/cgroup", "4:memory:/docker/1a", "3:pids:/docker/1a");
        file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
        file("/sys/fs/cgroup/pids/pids.max", "max");

        assertThat(new ControlGroupCheck(host()).look())
                .isEqualTo(Finding.ok("memory unlimited, processes and threads unlimited"));
    }

    @Test
    void aMachineWithoutSharedMemoryWillDo() {
        assertThat(new SharedMemoryCheck(host()).look())
                .isEqualTo(Finding.ok("no /dev/shm; the simulator does not need it"));
    }

    @Test
    void oneCoreIsAWarning() {
        assertThat(new CoresCheck(host()).look().level()).isEqualTo(Level.OK);
        assertThat(new CoresCheck(new Host(root, environment, properties::get, 1))
                        .look()
                        .level())
                .isEqualTo(Level.WARN);
    }
}
