package org.rankunit.engine.slurm.step;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rankunit.engine.config.SlurmSettings;
import org.rankunit.engine.launch.GroupLaunch;
import org.rankunit.engine.launch.LaunchedRanks;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.protocol.wire.ControlAddress;
import org.rankunit.engine.slurm.files.NodeCopy;
import org.rankunit.engine.slurm.files.NodeFiles;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.engine.slurm.job.GresName;
import org.rankunit.engine.slurm.job.NodeAddresses;
import org.rankunit.engine.slurm.job.NodeShare;

/** Starts the ranks of a group as tasks of a step of a Slurm job. */
public final class StepLauncher implements RankLauncher {

    /** What Slurm replaces with the number of a task within its step. */
    private static final String TASK = "%t";

    /** The rank of a step's first task. */
    private static final String FIRST_RANK = "RANKUNIT_FIRST_RANK";

    /** The address at which rank 0 listens for the others, which are on other nodes, to bring up their communicator. */
    private static final String MEET = "RANKUNIT_MEET_ADDRESS";

    /** The devices of the job on each node, for ranks that are not told theirs. */
    private static final String DEVICES = "RANKUNIT_DEVICES";

    /** Of the devices that a step that overlaps others is told, those of its ranks. */
    private static final String SLOTS = "RANKUNIT_SLOTS";

    /** The signals that UCX, by which MPIs send, makes its own when it is loaded. A JVM needs them itself. */
    private static final String UCX_SIGNALS = "UCX_ERROR_SIGNALS";

    private final NodeFiles files;
    private final Path logs;
    private final Map<String, String> environment;
    private final Allocation allocation;
    private final SlurmSettings settings;
    private final String address;
    private final NodeAddresses addresses;
    private final NodeWatch watch;
    private final NodeCommands nodes;
    private final DevicesInUse devices;

    /** How ranks reach the files of this machine; empty if they see them. */
    private volatile Optional<FileAccess> access = Optional.empty();

    /**
     * Prepare to start ranks.
     *
     * @param files what they need on their nodes; nodes begin to get it
     * @param logs folder of the ranks' logs, on this machine; it is created if necessary
     * @param environment additional environment variables of the ranks
     * @param stepsAreTold called when it is known that Slurm tells steps which devices they have
     */
    public StepLauncher(
            NodeFiles files,
            Path logs,
            Map<String, String> environment,
            Allocation allocation,
            SlurmSettings settings,
            Runnable stepsAreTold) {
        this.files = files;
        this.logs = logs;
        this.environment = Map.copyOf(environment);
        this.allocation = allocation;
        this.settings = settings;
        this.devices = new DevicesInUse(settings.deviceIds(), stepsAreTold);
        this.addresses = NodeAddresses.of(
                allocation.job().nodes().stream().map(NodeShare::node).toList(), allocation.slurm());
        this.address = addresses.addressOfThisMachine();
        this.watch = new NodeWatch(
                addresses, allocation.lost(), settings.nodeTimeout().minus(silenceOf(settings)));
        this.nodes = new NodeCommands(allocation.slurm(), allocation.job().id());
        files.begin(address);
    }

    /** Most of the time goes to silence: a node that answers does so at once. */
    private static Duration silenceOf(SlurmSettings settings) {
        return settings.nodeTimeout().multipliedBy(2).dividedBy(3);
    }

    @Override
    public ControlAddress control(Path groupFolder) {
        return new ControlAddress.OfPort(address, 0);
    }

    @Override
    public Optional<Duration> silence() {
        return Optional.of(silenceOf(settings));
    }

    @Override
    public Optional<FileAccess> files() {
        return access;
    }

    @Override
    public LaunchedRanks start(GroupLaunch group) throws IOException {
        Files.createDirectories(logs);
        String name = "group-" + group.number();
        Optional<NodeCopy> copy = files.await();
        access = copy.map(NodeCopy::access);
        StepTools tools = new StepTools(nodes, watch, devices, logs, name, copy);
        List<StepPart> parts = partsOf(group);
        List<StepRank> ranks = ranksOf(group, parts, tools);
        List<Step> steps = new ArrayList<>();
        boolean complete = false;
        try {
            for (StepPart part : parts) {
                Path log = logs.resolve(logName(name, part, parts));
                Path onNode = copy.map(copies -> copies.logOf(log)).orElse(log);
                steps.add(start(
                        group,
                        part,
                        pattern(onNode),
                        ranks.subList(part.firstRank(), part.firstRank() + part.ranks()),
                        tools));
            }
            complete = true;
            return new StepRanks(ranks, steps);
        } finally {
            if (!complete) {
                new StepRanks(ranks, steps).end(() -> {}, Duration.ZERO);
            }
        }
    }

    /** The ranks of these parts, none of which has been started; each has an empty log. */
    private List<StepRank> ranksOf(GroupLaunch group, List<StepPart> parts, StepTools tools) throws IOException {
        List<StepRank> ranks = new ArrayList<>();
        for (StepPart part : parts) {
            String name = logName(tools.group(), part, parts);
            for (int task = 0; task < part.ranks(); task++) {
                int rank = part.firstRank() + task;
                Path log = logs.resolve(name.replace(TASK, Integer.toString(task)));
                ranks.add(new StepRank(
                        rank,
                        group.devices().get(rank),
                        part,
                        group.platform().isSimulator(),
                        RankLog.forwarded(Files.write(log, new byte[0])),
                        tools));
            }
        }
        return ranks;
    }

    /** Ranks that find each other by Slurm's means, as those over MPI do, share a step. */
    private List<StepPart> partsOf(GroupLaunch group) throws IOException {
        if (!settings.connectsTasks()) {
            return StepPart.onePerNode(group.devices());
        }
        try {
            return List.of(StepPart.together(group.devices()));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** The name of the logs of a part; Slurm can number only the tasks of one step. */
    private static String logName(String group, StepPart part, List<StepPart> parts) {
        return parts.size() == 1
                ? group + "-rank-" + TASK + ".log"
                : group + "-" + part.nodes().get(0) + "-task-" + TASK + ".log";
    }

    /** A percent sign in the name of a folder is no placeholder. */
    private static String pattern(Path log) {
        return String.valueOf(log.getParent()).replace("%", "%%") + "/" + log.getFileName();
    }

    private Step start(GroupLaunch group, StepPart part, String log, List<StepRank> ranks, StepTools tools)
            throws IOException {
        boolean isSimulated = group.platform().isSimulator();
        boolean overlaps = allocation.hasShrunk();
        int devices = overlaps ? allDevices(part) : devicesOf(part);
        SrunCommand srun = new SrunCommand(
                allocation.job().id(),
                isSimulated ? "" : GresName.parse(settings.gres()).request(devices),
                isSimulated ? 1 : processorsPerRank(part),
                overlaps,
                settings.srunArguments());
        Map<String, String> variables = new TreeMap<>(environment);
        ProcessMark.ofGroup(group.folder()).putInto(variables);
        variables.put(FIRST_RANK, Integer.toString(part.firstRank()));
        if (!isSimulated
                && (part.ranks() < group.devices().size() || part.nodes().size() > 1)) {
            addresses.of(group.devices().get(0).node()).ifPresent(meet -> variables.put(MEET, meet));
        }
        if (settings.connectsTasks() && System.getenv(UCX_SIGNALS) == null) {
            variables.putIfAbsent(UCX_SIGNALS, "");
        }
        if (overlaps && !isSimulated) {
            variables.put(SLOTS, slots(group, part));
        }
        if (settings.deviceIds() == SlurmSettings.DeviceIds.JOB) {
            variables.put(DEVICES, devicesOfJob(group, part));
        }
        RankCommand command = tools.copy().map(NodeCopy::command).orElse(files.command());
        List<String> rank = command.forTasks(group.devices().size(), group.control(), tools.crashReportPattern(part));
        TaskPlace place = tools.copy()
                .map(copy -> TaskPlace.copied(copy.folder()))
                .orElseGet(() -> TaskPlace.shared(files.workingDirectory(), sessionOf(group)));
        List<String> line = srun.of(part, "rankunit-" + tools.group(), log, place, rank);
        return Step.start(line, variables, group.token(), part, ranks, allocation);
    }

    private static Path sessionOf(GroupLaunch group) {
        return Objects.requireNonNull(group.folder().getParent(), "a group's folder lies in that of its run");
    }

    /** What is given out together is asked for together. */
    private int devicesOf(StepPart part) {
        int unit = settings.gresUnit();
        return (part.ranksPerNode() + unit - 1) / unit * unit;
    }

    /** Slurm would give the same devices to steps that overlap, so each gets all, and its ranks take those of their slots. */
    private int allDevices(StepPart part) {
        return allocation.job().nodes().stream()
                .filter(node -> part.nodes().contains(node.node()))
                .mapToInt(NodeShare::devices)
                .min()
                .orElseThrow();
    }

    /** The slots of this group on each node of a part: {@code node1=0,1;node2=4,5}. */
    private static String slots(GroupLaunch group, StepPart part) {
        return part.nodes().stream()
                .map(node -> node + "="
                        + group.devices().stream()
                                .filter(slot -> slot.node().equals(node))
                                .map(slot -> Integer.toString(slot.id()))
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(";"));
    }

    /** Each rank gets its part of the processors, as many as leave one for each device. */
    private int processorsPerRank(StepPart part) {
        return allocation.job().nodes().stream()
                .filter(node -> part.nodes().contains(node.node()))
                .mapToInt(node -> Math.max(1, node.cpus() / Math.max(1, node.devices())))
                .min()
                .orElse(1);
    }

    /** The ids of the slots that this group has: {@code node1=0,1;node2=4,5}. */
    private String devicesOfJob(GroupLaunch group, StepPart part) {
        return allocation.job().nodes().stream()
                .filter(node ->
                        part.nodes().contains(node.node()) && !node.deviceIds().isEmpty())
                .map(node -> node.node() + "="
                        + group.devices().stream()
                                .filter(slot -> slot.node().equals(node.node()))
                                .map(slot -> node.deviceIds().get(slot.id()).toString())
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(";"));
    }
}
