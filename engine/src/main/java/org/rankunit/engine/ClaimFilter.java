package org.rankunit.engine;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.rankunit.engine.discovery.Claims;

/** Excludes from the ordinary Jupiter run the tests that this engine has claimed, and no others. */
@API(status = INTERNAL, since = "0.1")
public final class ClaimFilter implements PostDiscoveryFilter {

    @Override
    public FilterResult apply(TestDescriptor descriptor) {
        return FilterResult.includedIf(
                !descriptor.getChildren().isEmpty() || !Claims.isClaimed(descriptor.getUniqueId()),
                () -> "not a claimed device test",
                () -> "runs on ranks, in the engine rankunit");
    }
}
