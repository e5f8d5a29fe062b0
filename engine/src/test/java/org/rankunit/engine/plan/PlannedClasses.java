package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.discovery.DeviceTest;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.protocol.TestDeclaration;

/** Classes of tests without a source, and what is known of them. */
public final class PlannedClasses {

    static final String PLATFORM = Platform.A2A3SIM.id();

    private PlannedClasses() {}

    static DeviceTest test(String className, String method, int ranks) {
        String id = "[engine:junit-jupiter]/[class:" + className + "]/[method:" + method + "]";
        return new DeviceTest(id, List.of(id), TestDeclaration.plain(className + "." + method, ranks), null);
    }

    /** A class whose only test runs on these numbers of ranks. */
    public static ClassPlan running(String name, int... counts) {
        List<PlannedTest> tests = new ArrayList<>();
        for (int ranks : counts) {
            tests.add(planned(test(name, "a()", ranks), new TestDecision.Runs(Platform.A2A3SIM, List.of())));
        }
        return planOf(name, tests);
    }

    static ClassPlan skipped(String name) {
        return planOf(name, List.of(planned(test(name, "a()", 2), new TestDecision.Skipped("as is"))));
    }

    static ClassPlan planOf(String name, List<PlannedTest> tests) {
        return new ClassPlan(
                new EngineDescriptor(UniqueId.forEngine("rankunit").append("class", name), name), List.copyOf(tests));
    }

    static PlannedTest planned(DeviceTest test, TestDecision decision) {
        String place = test.declaration().place();
        UniqueId id = UniqueId.forEngine("rankunit").append("test", place + test.ranks());
        return new PlannedTest(
                DeviceTestDescriptor.dynamic(id, place, null, true, place, java.util.Set.of(), ""), test, decision);
    }

    /** What is known of a class whose only test took {@code micros} on each of these numbers of ranks. */
    public static Map<String, Recorded> took(long micros, int... counts) {
        Map<String, Recorded> recorded = new TreeMap<>();
        IntStream.of(counts).forEach(ranks -> recorded.put(keyOf("a()", ranks), recorded(ranks, micros)));
        return recorded;
    }

    static String keyOf(String method, int ranks) {
        return "method:" + method + " " + GroupPlan.variant(ranks, PLATFORM);
    }

    static Recorded recorded(int ranks, Long... micros) {
        return new Recorded(PLATFORM, ranks, "2026-03-01", List.of(micros));
    }
}
