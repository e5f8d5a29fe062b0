package org.rankunit.engine;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.CurrentRank;
import org.rankunit.engine.discovery.DeviceTestDiscovery;
import org.rankunit.engine.discovery.TestIds;

/** Runs device tests on ranks; found by the JUnit Platform through its service file. */
@API(status = INTERNAL, since = "0.1")
public final class RankUnitEngine implements TestEngine {

    @Override
    public String getId() {
        return TestIds.ENGINE;
    }

    @Override
    public Optional<String> getGroupId() {
        return Optional.of("org.rankunit");
    }

    @Override
    public Optional<String> getArtifactId() {
        return Optional.of("rankunit-engine");
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId uniqueId) {
        EngineDescriptor root = new EngineDescriptor(uniqueId, "RankUnit");
        // A launcher that a test starts inside a rank finds no device tests: a rank never starts other ranks.
        if (CurrentRank.session() == null) {
            if (Surefire.calling().filter(Surefire::isTooOld).isPresent()) {
                Surefire.refuse(request.getSelectorsByType(ClassSelector.class), root);
            } else {
                DeviceTestDiscovery.discover(request, root);
            }
        }
        return root;
    }

    @Override
    public void execute(ExecutionRequest request) {
        Optional<Surefire> surefire = Surefire.calling();
        TestDescriptor root = request.getRootTestDescriptor();
        if (surefire.filter(Surefire::isTooOld).isPresent()) {
            surefire.get().fail(root, request.getEngineExecutionListener());
            return;
        }
        if (!root.getChildren().isEmpty()) {
            surefire.flatMap(Surefire::warning).ifPresent(System.out::println);
        }
        new Run(request).execute();
    }
}
