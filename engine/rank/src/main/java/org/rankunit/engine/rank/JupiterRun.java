package org.rankunit.engine.rank;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.wire.Limits;
import org.rankunit.engine.rank.failure.Failures;
import org.rankunit.engine.rank.parent.ControlLine;

/** Runs tests with the real Jupiter engine only. */
final class JupiterRun {

    private static final String JUPITER = "junit-jupiter";
    private static final String PRUNING = "junit.platform.stacktrace.pruning.enabled";

    private final RankSession session;
    private final ControlLine control;
    private final Map<String, String> parameters;
    private final Launcher launcher;

    /** Whether Jupiter has found tests here before. */
    private boolean hasFoundTests;

    /**
     * The parent reports discovery issues for the whole run, so they are silenced here. Kept in a field because Java forgets the
     * level of a logger that is not referenced.
     */
    private final Logger discoveryIssues = Logger.getLogger("org.junit.platform.launcher.core.DiscoveryIssueNotifier");

    JupiterRun(RankSession session, ControlLine control, String jupiter, Map<String, String> parameters) {
        this.session = session;
        this.control = control;
        this.parameters = parameters;
        discoveryIssues.setLevel(Level.OFF);
        if ("false".equalsIgnoreCase(parameters.get(PRUNING))) {
            Failures.keepCallers();
        }
        this.launcher = LauncherFactory.create(LauncherConfig.builder()
                // The user's listeners and filters see the merged run in the parent; here they would see it N times.
                .enableTestEngineAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .addTestEngines(new RankJupiter(engine(jupiter), session))
                .build());
    }

    private static TestEngine engine(String className) {
        try {
            return Class.forName(className)
                    .asSubclass(TestEngine.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Jupiter's engine is not on the class path of this rank: " + e, e);
        }
    }

    void run(List<TestSelection> tests) {
        session.expect(tests);
        if (session.tellIfUnfit()) {
            control.send(new FromRank.RunEnded());
            return;
        }
        try {
            TestPlan plan = launcher.discover(requestFor(tests));
            hasFoundTests = true;
            launcher.execute(plan, new GuardedListener(new RankListener(session, control)));
        } catch (JUnitException e) {
            Throwable notFound = notFound(e, tests);
            if (hasFoundTests) {
                // What ran here before may be the reason, so these tests fail only if new ranks do not find them
                // either.
                session.unfit(String.valueOf(notFound.getMessage()));
            } else {
                failed(UniqueId.forEngine(JUPITER).toString(), notFound);
            }
        } catch (RuntimeException | Error e) {
            // JUnit rethrows errors after which it considers it unsafe to continue, such as an OutOfMemoryError.
            session.failed(e);
            failed(session.inside().orElseGet(this::place), e);
        }
        session.finish();
        control.send(new FromRank.RunEnded());
    }

    private String place() {
        String place = session.whereabouts().tell().uniqueId();
        return place.isEmpty() ? UniqueId.forEngine(JUPITER).toString() : place;
    }

    private void failed(String uniqueId, Throwable cause) {
        control.send(new FromRank.Ended(
                uniqueId, new RankOutcome.Failed(Failures.of(cause)), List.of(), System.nanoTime(), 0));
    }

    /**
     * Jupiter's exception says what it was doing. Only its innermost cause says what was wrong, such as a class that is missing
     * here.
     */
    private static Throwable notFound(JUnitException failure, List<TestSelection> tests) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < Limits.THROWABLES; depth++) {
            cause = cause.getCause();
        }
        return new IllegalStateException(
                "Jupiter found these tests during discovery, but not in this rank: " + cause + whyNotLoaded(tests),
                failure);
    }

    /** Jupiter does not say why it could not load a class. */
    private static String whyNotLoaded(List<TestSelection> tests) {
        for (TestSelection test : tests) {
            String name =
                    UniqueId.parse(topOf(test.uniqueId())).getLastSegment().getValue();
            try {
                Class.forName(name, false, Thread.currentThread().getContextClassLoader());
            } catch (ClassNotFoundException | LinkageError e) {
                return "; " + e;
            }
        }
        return "";
    }

    private LauncherDiscoveryRequest requestFor(List<TestSelection> tests) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameters(parameters)
                // Lockstep requires one test at a time, whatever the parent's setting.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                // Reported failures are pruned in the parent. Doing it here would take a third of the time until a
                // failure is
                // reported.
                .configurationParameter(PRUNING, "false");
        Set<String> selected = new LinkedHashSet<>();
        tests.forEach(test -> selected.addAll(test.selected()));
        if (tests.stream().allMatch(test -> test.selected().equals(List.of(test.uniqueId())))) {
            // Jupiter resolves each id by searching all methods of its class, which is slow for classes with hundreds
            // of methods.
            Set<String> classes = new LinkedHashSet<>();
            selected.forEach(id -> classes.add(topOf(id)));
            return request.selectors(classes.stream()
                            .map(DiscoverySelectors::selectUniqueId)
                            .toList())
                    .filters(onlyThese(selected))
                    .build();
        }
        return request.selectors(selected.stream()
                        .map(DiscoverySelectors::selectUniqueId)
                        .toList())
                .build();
    }

    /** The id of the top-level class: engine and first segment. */
    private static String topOf(String uniqueId) {
        UniqueId id = UniqueId.parse(uniqueId);
        while (id.getSegments().size() > 2) {
            id = id.removeLastSegment();
        }
        return id.toString();
    }

    private static PostDiscoveryFilter onlyThese(Set<String> selected) {
        return leaf -> FilterResult.includedIf(!leaf.getChildren().isEmpty() || isWithin(leaf.getUniqueId(), selected));
    }

    /** The leaves that Jupiter shows for a class template are its prototypes; what was selected is the template. */
    private static boolean isWithin(UniqueId leaf, Set<String> selected) {
        UniqueId id = leaf;
        while (!selected.contains(id.toString())) {
            if (id.getSegments().size() == 1) {
                return false;
            }
            id = id.removeLastSegment();
        }
        return true;
    }
}
