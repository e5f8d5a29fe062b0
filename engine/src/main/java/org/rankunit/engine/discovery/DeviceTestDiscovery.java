package org.rankunit.engine.discovery;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.SelectorResolutionResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.discovery.declaration.DeclarationReader;
import org.rankunit.engine.discovery.declaration.DeclaredTest;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * Finds the device tests of a request and mirrors them below this engine's root.
 *
 * <p>Discovery is cheap and has no side effects: it reads annotations, starts nothing and touches no device, since build
 * tools run it several times and in separate processes.
 */
public final class DeviceTestDiscovery {

    private static final String AUTODETECTION = "junit.jupiter.extensions.autodetection.enabled";

    private final Selection selection;
    private final OptionalInt otherCount;
    private final Optional<SimulatorSettings.Shake> shake;
    private final OptionalInt rounds;
    private final boolean autodetects;
    private final TestDescriptor engine;
    private final MarkedClasses marked = new MarkedClasses();
    private final MisplacedAnnotations misplaced;

    private DeviceTestDiscovery(Selection selection, ConfigurationParameters parameters, TestDescriptor engine) {
        this.selection = selection;
        this.otherCount = Settings.otherCount(parameters::get);
        this.shake = Settings.shake(parameters::get);
        this.rounds = Settings.rounds(parameters::get);
        this.autodetects = parameters.getBoolean(AUTODETECTION).orElse(false);
        this.engine = engine;
        this.misplaced = new MisplacedAnnotations(selection, marked);
    }

    /** Add all device tests of the request to {@code engine}, and claim them. */
    public static void discover(EngineDiscoveryRequest request, TestDescriptor engine) {
        Selection selection = new Selection(request, engine.getUniqueId());
        DeviceTestDiscovery discovery =
                new DeviceTestDiscovery(selection, request.getConfigurationParameters(), engine);
        JupiterDiscovery.discover(request, engine.getUniqueId(), discovery.marked)
                .ifPresent(jupiter -> jupiter.getChildren().forEach(child -> discovery.mirror(child, engine)));
        discovery.misplaced.addOthers(request, engine);
        // Jupiter does not know variants, and resolved such an id to one of its own tests.
        selection
                .ofNothing()
                .forEach(selector -> request.getDiscoveryListener()
                        .selectorProcessed(engine.getUniqueId(), selector, SelectorResolutionResult.unresolved()));
    }

    private void mirror(TestDescriptor jupiter, TestDescriptor parent) {
        if (isUnit(jupiter)) {
            mirrorUnit(jupiter, parent);
            jupiter.accept(node -> classOf(node).ifPresent(type -> misplaced.addApart(type, engine)));
            return;
        }
        DeviceTestDescriptor container = DeviceTestDescriptor.container(jupiter);
        parent.addChild(container);
        jupiter.getChildren().forEach(child -> mirror(child, container));
        classOf(jupiter).ifPresent(type -> misplaced.add(type, container));
        if (container.getChildren().isEmpty()) {
            parent.removeChild(container);
        }
    }

    private static Optional<Class<?>> classOf(TestDescriptor node) {
        return node.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getJavaClass());
    }

    /** Whether it runs as a whole: a test, a template, a factory, or a class template, whose children are only prototypes. */
    private static boolean isUnit(TestDescriptor jupiter) {
        return jupiter.getChildren().isEmpty() || TestIds.isClassTemplate(jupiter.getUniqueId());
    }

    private void mirrorUnit(TestDescriptor unit, TestDescriptor parent) {
        Optional<DeclaredTest> found = DeclarationReader.of(unit).or(() -> UnmarkedContext.in(unit, autodetects));
        if (found.isEmpty()) {
            refuseInside(unit, parent);
            return;
        }
        DeclaredTest declared =
                found.get().withCount(otherCount).withShake(shake).withRounds(rounds);
        claim(unit);
        if (declared.problem() != null) {
            List<String> all = List.of(TestIds.inRank(unit.getUniqueId()));
            parent.addChild(DeviceTestDescriptor.test(unit, unit.getUniqueId(), "", refused(unit, declared, all)));
            return;
        }
        for (TestVariant variant : TestVariant.of(declared, otherCount.isPresent())) {
            UniqueId id = variant.idOf(unit.getUniqueId());
            List<String> selected = selection.of(unit, id);
            if (!selected.isEmpty()) {
                DeviceTest test = test(
                        unit,
                        declared.problem(),
                        declared.declaration().variant(variant.ranks(), variant.runtime(), variant.shake()),
                        selected);
                parent.addChild(DeviceTestDescriptor.test(unit, id, variant.suffix(), test));
            }
        }
    }

    /** A class template that is not a device test may have methods declared as device tests: these cannot run. */
    private static void refuseInside(TestDescriptor template, TestDescriptor parent) {
        DeviceTestDescriptor container = DeviceTestDescriptor.container(template);
        template.accept(leaf -> {
            Optional<DeclaredTest> declared = leaf.getChildren().isEmpty() && !leaf.equals(template)
                    ? DeclarationReader.of(leaf)
                    : Optional.empty();
            declared.map(DeclaredTest::inTemplate).ifPresent(refused -> {
                claim(leaf);
                List<String> all = List.of(TestIds.inRank(leaf.getUniqueId()));
                container.addChild(
                        DeviceTestDescriptor.test(leaf, leaf.getUniqueId(), "", refused(leaf, refused, all)));
            });
        });
        if (!container.getChildren().isEmpty()) {
            parent.addChild(container);
        }
    }

    private static void claim(TestDescriptor unit) {
        if (unit.getChildren().isEmpty()) {
            Claims.claim(TestIds.jupiterTwin(unit.getUniqueId()));
        } else {
            unit.getChildren().forEach(DeviceTestDiscovery::claim);
        }
    }

    private static DeviceTest refused(TestDescriptor unit, DeclaredTest declared, List<String> selected) {
        return test(unit, declared.problem(), declared.declaration().variant(0, "", null), selected);
    }

    private static DeviceTest test(
            TestDescriptor unit, @Nullable String problem, TestDeclaration declaration, List<String> selected) {
        return new DeviceTest(TestIds.inRank(unit.getUniqueId()), selected, declaration, problem);
    }
}
