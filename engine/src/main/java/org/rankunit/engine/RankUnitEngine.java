package org.rankunit.engine;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.RankScope;
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
        // A launcher that a test starts inside a rank finds no device tests: ranks do not start ranks.
        if (RankScope.session() == null) {
            DeviceTestDiscovery.discover(request, root);
        }
        return root;
    }

    @Override
    public void execute(ExecutionRequest request) {
        new Run(request).execute();
    }
}
