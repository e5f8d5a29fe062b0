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
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.Limits;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.control.TestSelection;

/** Runs tests by the real Jupiter, and by nothing else. */
final class JupiterRun {

    private static final String JUPITER = "junit-jupiter";
    private static final String PRUNING = "junit.platform.stacktrace.pruning.enabled";

    private final RankSession session;
    private final ControlLine control;
    private final Map<String, String> parameters;
    private final Launcher launcher;

    /** The parent has told of these for the whole run; kept, since Java forgets the level of a logger that nobody holds. */
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
                // Listeners and filters of the user see the merged run in the parent; here they would see it N times.
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
            launcher.execute(
                    launcher.discover(requestFor(tests)), new GuardedListener(new RankListener(session, control)));
        } catch (JUnitException e) {
            failed(UniqueId.forEngine(JUPITER).toString(), notFound(e));
        } catch (RuntimeException | Error e) {
            // JUnit lets through what it thinks nobody should go on after, as an OutOfMemoryError.
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

    /** Jupiter says what it was doing, and only its innermost cause what was wrong, as a class that is missing here. */
    private static Throwable notFound(JUnitException failure) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < Limits.THROWABLES; depth++) {
            cause = cause.getCause();
        }
        return new IllegalStateException(
                "Jupiter found these tests where they were discovered, but not in this rank: " + cause, failure);
    }

    private LauncherDiscoveryRequest requestFor(List<TestSelection> tests) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameters(parameters)
                // Lockstep needs one test at a time, whatever the parent does.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                // What is told of a failure is pruned in the parent; here it would cost a third of the time until it is
                // told.
                .configurationParameter(PRUNING, "false");
        Set<String> selected = new LinkedHashSet<>();
        tests.forEach(test -> selected.addAll(test.selected()));
        if (tests.stream().allMatch(test -> test.selected().equals(List.of(test.uniqueId())))) {
            // Jupiter resolves each id by searching all methods of its class, which is slow for classes of hundreds.
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

    /** The leaves that Jupiter shows of a class template are its prototypes; the template is what was selected. */
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
