package org.rankunit.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.rankunit.engine.check.TestChecks;
import org.rankunit.engine.compile.ClassPathKernels;
import org.rankunit.engine.compile.CompiledKernels;
import org.rankunit.engine.compile.KernelBuild;
import org.rankunit.engine.compile.SourceLines;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.config.SlurmSettings;
import org.rankunit.engine.config.TimelineMode;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.group.GroupSpec;
import org.rankunit.engine.group.RankGroups;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.lockstep.TimeLimits;
import org.rankunit.engine.merge.ClassTree;
import org.rankunit.engine.merge.Results;
import org.rankunit.engine.merge.outcome.RankOutput;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.model.ModelJvm;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.plan.StartOrder;
import org.rankunit.engine.prepare.GoldenSettings;
import org.rankunit.engine.prepare.PreparedGoldens;
import org.rankunit.engine.prepare.model.ModelMain;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.schedule.Parallelism;
import org.rankunit.engine.shake.ShakeFolder;
import org.rankunit.engine.site.RankSite;
import org.rankunit.engine.site.Reservations;
import org.rankunit.engine.site.SiteException;
import org.rankunit.engine.site.SiteProvider;
import org.rankunit.engine.timeline.trace.TraceFolder;
import org.rankunit.engine.watch.Views;
import org.rankunit.engine.watch.Watch;

/** One execution of the engine: plans the tests, runs them on ranks, reports the results and releases all resources. */
final class Run {

    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

    private final TestDescriptor root;
    private final EngineExecutionListener listener;
    private final ConfigurationParameters parameters;
    private final BooleanSupplier cancelled;

    Run(ExecutionRequest request) {
        this.root = request.getRootTestDescriptor();
        this.listener = request.getEngineExecutionListener();
        this.parameters = request.getConfigurationParameters();
        this.cancelled = Cancellation.of(request);
    }

    void execute() {
        listener.executionStarted(root);
        TestExecutionResult result = TestExecutionResult.successful();
        try {
            if (!root.getChildren().isEmpty()) {
                runConfigured();
            }
        } catch (IOException | UncheckedIOException e) {
            result = TestExecutionResult.failed(e);
        } finally {
            listener.executionFinished(root, result);
        }
    }

    private void runConfigured() throws IOException {
        Settings settings;
        try {
            settings = Settings.read(parameters::get, namesInUse());
        } catch (ConfigurationException e) {
            withoutRanks(Planner.refuseAll(root, String.valueOf(e.getMessage())), result -> {});
            return;
        }
        SessionTime session = SessionTime.begin(settings.isDebugging() ? Optional.empty() : settings.sessionTimeout());
        RunHistory history = new RunHistory(settings, System.out::println);
        try (RankSite site =
                siteOf(ServiceLoader.load(SiteProvider.class, Run.class.getClassLoader()), settings, session)) {
            runOn(site, settings, session, history);
        } catch (ConfigurationException | SiteException e) {
            withoutRanks(Planner.refuseAll(root, String.valueOf(e.getMessage())), result -> {});
        }
    }

    /**
     * Where the settings say that the ranks are.
     *
     * @throws ConfigurationException if they name Slurm, and none of the providers is that of Slurm
     */
    static RankSite siteOf(Iterable<SiteProvider> providers, Settings settings, SessionTime session) {
        for (SiteProvider provider : providers) {
            Optional<RankSite> site = provider.find(settings, session);
            if (site.isPresent()) {
                return site.get();
            }
        }
        if (settings.slurm().launcher() == SlurmSettings.Launcher.SLURM) {
            throw new ConfigurationException(ConfigKey.LAUNCHER.key()
                    + " = \"slurm\": the class path has no support for Slurm. A jar of RankUnit was packed again without its"
                    + " META-INF/services; keep them.");
        }
        return LocalSite.of(settings, session);
    }

    private void runOn(RankSite site, Settings settings, SessionTime session, RunHistory history) throws IOException {
        Reservations reservations = site.reservations();
        List<ClassPlan> plans = new Planner(settings, reservations.devicesHere(), history.forShards()).plan(root);
        Optional<String> mistake = mistakeInDebug(settings, plans);
        if (mistake.isPresent()) {
            withoutRanks(Planner.refuseAll(root, mistake.get()), result -> {});
            return;
        }
        try {
            if (plans.stream().allMatch(plan -> plan.groups().isEmpty())) {
                withoutRanks(plans, history::add);
            } else {
                onRanks(plans, settings, session, site, history);
            }
        } finally {
            history.write(version(), !cancelled.getAsBoolean());
        }
    }

    /** A rank that no test has would never wait for a debugger, or for being started by hand. */
    private static Optional<String> mistakeInDebug(Settings settings, List<ClassPlan> plans) {
        int most = plans.stream()
                .flatMap(plan -> plan.groups().stream())
                .mapToInt(GroupPlan::ranks)
                .max()
                .orElse(0);
        return noSuchRank(ConfigKey.DEBUG, settings.debug().keySet(), most)
                .or(() -> noSuchRank(ConfigKey.MANUAL_RANKS, settings.manualRanks(), most));
    }

    /** @param named ranks in ascending order */
    private static Optional<String> noSuchRank(ConfigKey key, Set<Integer> named, int most) {
        return most == 0 || named.stream().anyMatch(rank -> rank < most)
                ? Optional.empty()
                : named.stream()
                        .findFirst()
                        .map(rank -> key.key() + " names rank " + rank
                                + ", but no test of this run has such a rank: the largest has " + most
                                + (most == 1 ? " rank" : " ranks") + ", counted from 0.");
    }

    /** Report the results of tests none of which runs. */
    private void withoutRanks(List<ClassPlan> plans, Consumer<TestResult> reports) {
        Results results = new Results(listener, reports, Run::print);
        for (ClassPlan plan : plans) {
            try (ClassTree tree = new ClassTree(plan, listener)) {
                plan.tests().forEach(test -> results.withoutRun(test, tree));
            }
        }
    }

    private void onRanks(
            List<ClassPlan> plans, Settings settings, SessionTime session, RankSite site, RunHistory history)
            throws IOException {
        Reservations reservations = site.reservations();
        long begin = System.nanoTime();
        Parallelism parallelism = new Parallelism(
                settings.isDebugging() ? OptionalInt.of(1) : settings.maxParallel(),
                site.processors(),
                reservations.devicesHere().counts(),
                plan -> history.durations().expected(plan),
                () -> System.nanoTime() - begin);
        List<GroupPlan> first =
                plans.stream().flatMap(plan -> plan.groups().stream().limit(1)).toList();
        int threads = parallelism.mostOf(first);
        if (parameters.getBoolean(PARALLEL).orElse(false)) {
            System.out.println("rankunit: " + PARALLEL
                    + " has no effect inside ranks, which run one test after the other"
                    + " together. Classes run in parallel as " + ConfigKey.MAX_PARALLEL.key() + " allows.");
        }
        if (settings.timeline() == TimelineMode.OFF && settings.timelineArguments() != TimelineMode.Arguments.NONE) {
            System.out.println("rankunit: " + ConfigKey.TIMELINE_ARGUMENTS.key() + " has no effect: "
                    + ConfigKey.TIMELINE.key() + " is off");
        }
        if (settings.golden() == Settings.GoldenMode.SKIP) {
            System.out.println("rankunit: " + ConfigKey.GOLDEN.key()
                    + " is skip: no output is compared with a golden, so a test that passes is not verified");
        } else if (settings.golden() == Settings.GoldenMode.UPDATE) {
            System.out.println("rankunit: " + ConfigKey.GOLDEN.key()
                    + " is update: golden files are written and not compared, so a test with golden files that passes"
                    + " is not verified");
        }
        SessionFolder folder;
        RankCommand command;
        try {
            folder = site.folder();
            command = commandFor(folder, settings);
        } catch (IOException | UncheckedIOException e) {
            withoutRanks(Planner.refuseAll(root, "no rank can be started: " + e.getMessage()), history::add);
            return;
        }
        try (folder;
                command;
                CompiledKernels kernels = kernelsOf(settings, session, command);
                PreparedGoldens goldens =
                        new PreparedGoldens(goldensOf(settings, folder, command), modelsOf(folder, command), plans);
                RankGroups groups = new RankGroups(
                        specOf(settings, session, kernels, folder, command, site),
                        reservations,
                        plan -> history.durations().expected(plan),
                        history.groups());
                Watch watch = Views.watch(settings, history.durations(), threads, Run::say)) {
            TraceFolder traces =
                    new TraceFolder(settings.outputFolder(), settings.timeline(), settings.timelineArguments());
            TestChecks checks = new TestChecks(settings.simulator(), new SourceLines()::in);
            ShakeFolder shakings = new ShakeFolder(
                    settings.outputFolder(),
                    settings.simulator()
                            .shake()
                            .filter(given -> !given.isBase())
                            .isPresent());
            ClassRun run = new ClassRun(
                    groups,
                    parallelism,
                    session,
                    cancelled,
                    history::groupWorked,
                    traces,
                    checks,
                    shakings,
                    goldens,
                    watch);
            Classes classes = new Classes(plans, listener, history::add, Run::print);
            if (threads > 1) {
                classes.atTheSameTime(run, threads, StartOrder.of(plans, history.durations(), parallelism.room(first)));
            } else {
                classes.inTurn(run);
            }
        }
    }

    private GoldenSettings goldensOf(Settings settings, SessionFolder folder, RankCommand command) {
        Map<String, String> forTests = new TreeMap<>(RankEnvironment.parameters(parameters, settings.isDebugging()));
        forTests.keySet().removeIf(name -> !ConfigKey.isParameter(name));
        return new GoldenSettings(
                Settings.project(),
                settings.outputFolder(),
                folder.path(),
                CacheFolder.of("goldens"),
                command.frameworks(),
                command.classPath(),
                forTests,
                settings.isDebugging() ? Optional.empty() : Optional.of(settings.testTimeout()),
                settings.golden() == Settings.GoldenMode.UPDATE,
                System.out::println);
    }

    private static ModelJvm modelsOf(SessionFolder folder, RankCommand command) {
        Path crashReport = folder.path().resolve("models.crash");
        return new ModelJvm(
                command.forOwn(ModelMain.class.getName(), crashReport),
                ProcessMark.ofRank(folder.path().resolve("models"), 0),
                crashReport,
                System.out::println);
    }

    private static CompiledKernels kernelsOf(Settings settings, SessionTime session, RankCommand command) {
        return new CompiledKernels(
                settings.kernels(),
                new ClassPathKernels(command.classPath(), Thread.currentThread().getContextClassLoader()),
                CacheFolder.of(KernelBuild.CACHE),
                session,
                System.out::println);
    }

    private static RankCommand commandFor(SessionFolder folder, Settings settings) throws IOException {
        try {
            return RankCommand.likeThisJvm(folder, settings.jvmArguments());
        } catch (IOException | UncheckedIOException e) {
            folder.close();
            throw e;
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static void print(List<String> byRank) {
        RankOutput.print(byRank, System.out);
    }

    private GroupSpec specOf(
            Settings settings,
            SessionTime session,
            CompiledKernels kernels,
            SessionFolder folder,
            RankCommand command,
            RankSite site) {
        return new GroupSpec(
                site.launcher(
                        command,
                        settings.outputFolder()
                                .resolve("logs")
                                .resolve(folder.path().getFileName())),
                folder,
                command.jupiter(),
                site.runtimeIds(),
                kernels,
                settings.commLibrary(),
                settings.windowBytes(),
                new TimeLimits(
                        settings.bootstrapTimeout(),
                        settings.deviceTimeout(),
                        settings.commTimeout(),
                        settings.testTimeout(),
                        session,
                        settings.isDebugging()),
                settings.debug(),
                settings.manualRanks(),
                settings.manualRanksTimeout(),
                RankEnvironment.properties(System.getProperties()),
                RankEnvironment.parameters(parameters, settings.isDebugging()),
                settings.recordsEvents(),
                settings.simulator().recordBytes(),
                settings.timeline().records(),
                settings.timeline().records() && settings.timelineArguments() == TimelineMode.Arguments.MEMORY,
                settings.simulator().leftOut(),
                settings.golden() == Settings.GoldenMode.SKIP);
    }

    private Set<String> namesInUse() {
        Set<String> names = new HashSet<>(parameters.keySet());
        names.addAll(System.getProperties().stringPropertyNames());
        return names;
    }

    private static String version() throws IOException {
        try (InputStream in = Run.class.getResourceAsStream("version.txt")) {
            return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }
}
