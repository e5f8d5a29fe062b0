package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.Placement;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.config.Shard;
import org.rankunit.engine.discovery.DeviceTest;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.site.DevicesHere;
import org.rankunit.engine.site.GroupKind;

/** Decides for each discovered test whether it runs, is skipped or is refused; starts nothing and accesses no device. */
public final class Planner {

    private final Settings settings;
    private final DevicesHere devices;
    private final Durations durations;

    /** Plan for a machine with these numbers of devices, without durations of the tests. */
    public Planner(Settings settings, Map<Platform, Integer> devices) {
        this(settings, DevicesHere.of(devices), Durations.NONE);
    }

    /**
     * Plan for a machine with these devices.
     *
     * @param durations used to split classes over shards; must be the same in all shards
     */
    public Planner(Settings settings, DevicesHere devices, Durations durations) {
        this.settings = settings;
        this.devices = devices;
        this.durations = durations;
    }

    /** Plan all tests below an engine's root, class by class. */
    public List<ClassPlan> plan(TestDescriptor root) {
        Map<String, Integer> shards = settings.shard()
                .map(shard -> Shards.of(deviceTests(root), shard.count(), durations))
                .orElse(Map.of());
        return plan(root, test -> decisionOf(test, shards));
    }

    /** Refuse all tests below an engine's root for the same mistake. */
    public static List<ClassPlan> refuseAll(TestDescriptor root, String mistake) {
        return plan(root, test -> new TestDecision.Refused(mistake));
    }

    private static List<ClassPlan> plan(TestDescriptor root, Function<DeviceTest, TestDecision> decisions) {
        List<ClassPlan> classes = new ArrayList<>();
        for (TestDescriptor container : root.getChildren()) {
            List<PlannedTest> tests = new ArrayList<>();
            forEachTest(container, (node, test) -> tests.add(new PlannedTest(node, test, decisions.apply(test))));
            classes.add(new ClassPlan(container, List.copyOf(tests)));
        }
        return classes;
    }

    private static List<DeviceTest> deviceTests(TestDescriptor root) {
        List<DeviceTest> tests = new ArrayList<>();
        forEachTest(root, (node, test) -> tests.add(test));
        return tests;
    }

    private static void forEachTest(TestDescriptor container, BiConsumer<DeviceTestDescriptor, DeviceTest> action) {
        container.accept(node -> {
            if (node instanceof DeviceTestDescriptor descriptor) {
                descriptor.test().ifPresent(test -> action.accept(descriptor, test));
            }
        });
    }

    private TestDecision decisionOf(DeviceTest test, Map<String, Integer> shards) {
        if (settings.shard().isPresent()) {
            Shard own = settings.shard().get();
            int shard = shards.getOrDefault(TestKey.of(test).className(), own.number());
            if (shard != own.number()) {
                // This applies to a mistake too: only the shard that contains the test reports it.
                return new TestDecision.Skipped(
                        "in shard " + shard + " of " + own.count() + " (" + ConfigKey.SHARD.key() + " = " + own + ")");
            }
        }
        if (test.problem() != null) {
            return new TestDecision.Refused(test.problem());
        }
        if (!settings.ranks().isEmpty() && !settings.ranks().contains(test.ranks())) {
            return new TestDecision.Skipped(ConfigKey.ONLY_WORLD_SIZES.key() + " = "
                    + settings.ranks().stream().sorted().map(String::valueOf).collect(Collectors.joining(","))
                    + " leaves out " + test.ranks() + " ranks");
        }
        String runtime = test.declaration().runtime();
        if (!runtime.isEmpty()
                && !settings.runtimes().isEmpty()
                && !settings.runtimes().contains(runtime)) {
            return new TestDecision.Skipped(ConfigKey.RUNTIME.key() + " = "
                    + settings.runtimes().stream().sorted().collect(Collectors.joining(",")) + " leaves out "
                    + runtime);
        }
        List<Platform> wanted = wanted(test);
        for (Platform platform : wanted) {
            if (devices.fits(GroupKind.of(platform, test.declaration()))) {
                return runsOn(platform, test);
            }
        }
        String reason = whyNot(test, wanted);
        // A test for another platform than that of this run is left to another run.
        return settings.requireDevices() && !wanted.isEmpty()
                ? new TestDecision.Refused(test.declaration().place() + ": " + reason + ", and "
                        + ConfigKey.REQUIRE_DEVICES.key() + " = true")
                : new TestDecision.Skipped(reason);
    }

    /** The platforms on which this test may run in this run, the preferred first. */
    private List<Platform> wanted(DeviceTest test) {
        return Platform.all().stream()
                .filter(p -> test.declaration().platforms().isEmpty()
                        || test.declaration().platforms().contains(p.id()))
                .filter(p ->
                        settings.platform().isEmpty() || settings.platform().get() == p)
                .toList();
    }

    private TestDecision runsOn(Platform platform, DeviceTest test) {
        TestDeclaration.Shake shake = test.declaration().shake();
        if (shake != null && shake.number() > 1 && !platform.isSimulator()) {
            return new TestDecision.Skipped("only simulators can be shaken: on " + platform.id()
                    + " the test runs once, and this would be seed " + shake.seed());
        }
        WindowLayout layout = WindowLayout.of(test.declaration());
        if (layout.windowBytes() > settings.windowBytes()) {
            String largest = test.declaration().buffers().stream()
                    .filter(b -> b.placement() == Placement.WINDOW)
                    .max(Comparator.comparingLong(b -> b.bytes()))
                    .map(b -> "; the largest is '" + b.name() + "' on " + b.place() + " with " + b.bytes() + " bytes")
                    .orElse("");
            return new TestDecision.Refused(test.declaration().place() + ": its buffers need " + layout.windowBytes()
                    + " bytes of the window, which has " + settings.windowBytes() + largest
                    + ". Make them smaller, or set "
                    + ConfigKey.WINDOW_SIZE.key() + ".");
        }
        long taken = test.ranks() * deviceBytes(test);
        if (platform.isSimulator() && taken > devices.memory()) {
            return new TestDecision.Refused(test.declaration().place() + ": its buffers in device memory take " + taken
                    + " bytes on "
                    + test.ranks() + (test.ranks() == 1 ? " rank" : " ranks") + " of the simulator, but this machine"
                    + " or container has " + devices.memory() + " bytes of memory and swap. Make them smaller, or run"
                    + " the test on fewer ranks.");
        }
        return new TestDecision.Runs(platform, layout.buffers());
    }

    private static long deviceBytes(DeviceTest test) {
        return test.declaration().buffers().stream()
                .filter(buffer -> buffer.placement() == Placement.DEVICE)
                .mapToLong(BufferDeclaration::bytes)
                .sum();
    }

    private String whyNot(DeviceTest test, List<Platform> wanted) {
        String declared = test.declaration().platforms().isEmpty()
                ? "any platform"
                : String.join(", ", test.declaration().platforms());
        if (wanted.isEmpty()) {
            return "runs on " + declared + ", but this run is on "
                    + settings.platform().map(Platform::id).orElse("auto") + " (" + ConfigKey.PLATFORM.key() + ")";
        }
        boolean none = wanted.stream().allMatch(p -> devices.count(p) == 0);
        if (none && settings.platform().isPresent()) {
            return noneOf(settings.platform().get(), test) + notes(wanted);
        }
        if (none) {
            return "runs on " + declared + ", but this machine has no such device (it has " + inventory() + ")"
                    + notes(wanted);
        }
        return tooFew(test, wanted);
    }

    /** The user asked for this platform, so it matters more than the platforms that the test supports. */
    private String noneOf(Platform platform, DeviceTest test) {
        String others = Platform.all().stream()
                .filter(p -> devices.count(p) >= test.ranks())
                .map(Platform::id)
                .filter(id -> test.declaration().platforms().isEmpty()
                        || test.declaration().platforms().contains(id))
                .collect(Collectors.joining(" or "));
        return ConfigKey.PLATFORM.key() + " = " + platform.id() + ", but this machine has no " + platform.id()
                + " device (it has " + inventory() + "); \"rankunit doctor\" shows what it looks for"
                + (others.isEmpty()
                        ? ""
                        : "; to run on " + others + ", give that or leave " + ConfigKey.PLATFORM.key() + " out");
    }

    private String notes(List<Platform> wanted) {
        return wanted.stream()
                .flatMap(p -> Optional.ofNullable(devices.notes().get(p)).stream())
                .distinct()
                .map(note -> "; " + note)
                .collect(Collectors.joining());
    }

    private String tooFew(DeviceTest test, List<Platform> wanted) {
        int ranks = test.ranks();
        List<String> rules = wanted.stream()
                .filter(p -> devices.count(p) >= ranks)
                .flatMap(p -> devices.limits().whyNever(GroupKind.of(p, test.declaration())).stream())
                .distinct()
                .toList();
        if (!rules.isEmpty()) {
            return String.join("; ", rules);
        }
        String needs = "needs " + ranks + " devices, ";
        if (devices.slice().isPresent()) {
            int most = wanted.stream().mapToInt(devices::count).max().orElse(0);
            return needs + "this slice has " + most + " (" + devices.slice().get() + ")";
        }
        return needs
                + wanted.stream().map(p -> p.id() + " has " + devices.count(p)).collect(Collectors.joining(", "))
                + (wanted.stream().anyMatch(Platform::isSimulator) ? " (" + ConfigKey.SIM_DEVICES.key() + ")" : "");
    }

    private String inventory() {
        String known = Platform.all().stream()
                .filter(p -> devices.count(p) > 0)
                .map(p -> p.id() + ": " + devices.count(p))
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "none" : known;
    }
}
