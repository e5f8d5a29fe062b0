package org.rankunit.engine.rank;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.TestSelection;

/** Runs tests by the real Jupiter, and by nothing else. */
final class JupiterRun {

    private final RankSession session;
    private final ControlLine control;
    private final Map<String, String> parameters;
    private final Launcher launcher;

    JupiterRun(RankSession session, ControlLine control, Map<String, String> parameters) {
        this.session = session;
        this.control = control;
        this.parameters = parameters;
        this.launcher = LauncherFactory.create(LauncherConfig.builder()
                // Listeners and filters of the user see the merged run in the parent; here they would see it N times.
                .enableTestEngineAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .addTestEngines(jupiter())
                .build());
    }

    private static TestEngine jupiter() {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (engine.getId().equals("junit-jupiter")) {
                return engine;
            }
        }
        throw new IllegalStateException("Jupiter's engine is not on the class path of this rank");
    }

    void run(List<TestSelection> tests) {
        session.expect(tests);
        List<? extends DiscoverySelector> selectors = tests.stream()
                .flatMap(test -> test.selected().stream())
                .map(DiscoverySelectors::selectUniqueId)
                .toList();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .configurationParameters(parameters)
                // Lockstep needs one test at a time, whatever the parent does.
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        launcher.execute(request, new RankListener(session, control));
        session.finish();
        control.send(new FromRank.RunEnded());
    }
}
