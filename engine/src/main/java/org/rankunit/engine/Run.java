package org.rankunit.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.rankunit.engine.config.ConfigurationException;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.launch.BringUpException;
import org.rankunit.engine.launch.GroupSpec;
import org.rankunit.engine.launch.InterruptedGroupException;
import org.rankunit.engine.launch.RankCommand;
import org.rankunit.engine.launch.RankGroup;
import org.rankunit.engine.launch.RankGroups;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.merge.ClassTree;
import org.rankunit.engine.merge.GroupMerge;
import org.rankunit.engine.merge.GroupView;
import org.rankunit.engine.merge.Results;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.report.ReportCollector;
import org.rankunit.engine.report.ReportWriter;
import org.rankunit.engine.schedule.ReservationException;
import org.rankunit.engine.schedule.Reservations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One execution of the engine: hands each test through the rooms, and leaves nothing behind. */
final class Run {

    private final TestDescriptor root;
    private final EngineExecutionListener listener;
    private final ConfigurationParameters parameters;

    Run(ExecutionRequest request) {
        this.root = request.getRootTestDescriptor();
        this.listener = request.getEngineExecutionListener();
        this.parameters = request.getConfigurationParameters();
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
            Results results = new Results(listener, result -> {});
            runClasses(Planner.refuseAll(root, String.valueOf(e.getMessage())), results, Optional.empty());
            return;
        }
        Reservations reservations = new Reservations(settings);
        List<ClassPlan> plans = new Planner(settings, reservations.inventory()).plan(root);
        ReportCollector collector = new ReportCollector(settings.outputFolder());
        Results results = new Results(listener, collector::add);
        try {
            if (plans.stream().allMatch(plan -> plan.groups().isEmpty())) {
                runClasses(plans, results, Optional.empty());
            } else {
                runOnRanks(plans, results, settings, reservations, collector);
            }
        } finally {
            new ReportWriter(settings.outputFolder())
                    .write(version(), settings.platform().map(Platform::id).orElse("auto"), collector.entries());
        }
    }

    private void runOnRanks(
            List<ClassPlan> plans,
            Results results,
            Settings settings,
            Reservations reservations,
            ReportCollector collector)
            throws IOException {
        try (SessionFolder session = SessionFolder.create();
                RankCommand command = RankCommand.likeThisJvm(session.path(), settings.jvmArguments());
                RankGroups groups =
                        new RankGroups(specOf(settings, session, command), reservations, collector::groupEnded)) {
            runClasses(plans, results, Optional.of(groups));
        }
    }

    private GroupSpec specOf(Settings settings, SessionFolder session, RankCommand command) {
        return new GroupSpec(
                command,
                session,
                settings.outputFolder().resolve("logs").resolve(session.path().getFileName()),
                Path.of("").toAbsolutePath(),
                settings.windowBytes(),
                settings.bootstrapTimeout(),
                settings.testTimeout(),
                RankEnvironment.properties(System.getProperties()),
                RankEnvironment.parameters(parameters));
    }

    private void runClasses(List<ClassPlan> plans, Results results, Optional<RankGroups> groups) {
        for (ClassPlan plan : plans) {
            try (ClassTree tree = new ClassTree(plan, listener)) {
                plan.tests().forEach(test -> results.withoutRun(test, tree));
                for (GroupPlan group : plan.groups()) {
                    runGroups(new GroupMerge(group, tree, results), group, groups.orElseThrow());
                }
            }
        }
    }

    /** Run the tests of one class and variant, on as many groups as it takes. */
    private static void runGroups(GroupMerge merge, GroupPlan plan, RankGroups groups) {
        while (!merge.remaining().isEmpty()) {
            try {
                Optional<RankGroup> kept = groups.kept(plan);
                RankGroup group = kept.isPresent() ? kept.get() : groups.make(plan);
                runOn(group, kept.isPresent(), merge, groups);
            } catch (BringUpException | ReservationException | InterruptedGroupException e) {
                log().debug("No ranks for {}", plan.className(), e);
                merge.failRemaining(String.valueOf(e.getMessage()));
            }
        }
    }

    private static void runOn(RankGroup group, boolean kept, GroupMerge merge, RankGroups groups) {
        boolean clean = false;
        try {
            merge.begin(new GroupView(
                    group.number(),
                    group.lease().devices(),
                    group.logFiles(),
                    kept ? org.rankunit.engine.launch.GroupPhases.KEPT : group.phases(),
                    group::freshOutput));
            clean = group.run(merge.remaining(), merge);
            merge.end();
        } finally {
            groups.giveBack(group, clean);
        }
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

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(Run.class);
    }
}
