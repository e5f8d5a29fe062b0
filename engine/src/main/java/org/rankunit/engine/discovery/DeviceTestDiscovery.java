package org.rankunit.engine.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.UniqueIdSelector;

/**
 * Finds the device tests of a request and mirrors them below this engine's root.
 *
 * <p>Discovery is cheap and pure: it reads annotations, starts nothing and touches no device, since build tools ask for it
 * several times and in processes of their own.
 */
public final class DeviceTestDiscovery {

    private static final String CLASS_TEMPLATE = "class-template";

    private final UniqueId root;
    private final List<UniqueId> selectedIds;
    private final boolean selectedByIdAlone;

    private DeviceTestDiscovery(EngineDiscoveryRequest request, UniqueId root) {
        this.root = root;
        List<DiscoverySelector> selectors = request.getSelectorsByType(DiscoverySelector.class);
        this.selectedIds = request.getSelectorsByType(UniqueIdSelector.class).stream()
                .map(UniqueIdSelector::getUniqueId)
                .toList();
        this.selectedByIdAlone = !selectors.isEmpty() && selectors.size() == selectedIds.size();
    }

    /** Add all device tests of the request to {@code engine}, and claim them. */
    public static void discover(EngineDiscoveryRequest request, TestDescriptor engine) {
        DeviceTestDiscovery discovery = new DeviceTestDiscovery(request, engine.getUniqueId());
        JupiterDiscovery.discover(request, engine.getUniqueId())
                .ifPresent(jupiter -> jupiter.getChildren().forEach(child -> discovery.mirror(child, engine)));
    }

    private void mirror(TestDescriptor jupiter, TestDescriptor parent) {
        if (isUnit(jupiter)) {
            mirrorUnit(jupiter, parent);
            return;
        }
        DeviceTestDescriptor container = DeviceTestDescriptor.container(jupiter);
        jupiter.getChildren().forEach(child -> mirror(child, container));
        if (!container.getChildren().isEmpty()) {
            parent.addChild(container);
        }
    }

    /** What runs as a whole: a test, a template, a factory, or a class template, whose children are only prototypes. */
    private static boolean isUnit(TestDescriptor jupiter) {
        return jupiter.getChildren().isEmpty()
                || jupiter.getUniqueId().getLastSegment().getType().equals(CLASS_TEMPLATE);
    }

    private void mirrorUnit(TestDescriptor unit, TestDescriptor parent) {
        Optional<DeviceMarks> found = DeviceMarks.of(unit);
        if (found.isEmpty()) {
            return;
        }
        DeviceMarks marks = found.get();
        claim(unit);
        if (marks.problem() != null) {
            parent.addChild(
                    DeviceTestDescriptor.test(unit, unit.getUniqueId(), "", test(unit, marks, 0, unit.getUniqueId())));
            return;
        }
        for (int ranks : marks.counts()) {
            boolean single = marks.counts().size() == 1;
            UniqueId id = single ? unit.getUniqueId() : TestIds.variant(unit.getUniqueId(), ranks);
            if (isSelected(id)) {
                String suffix = single ? "" : " [" + ranks + (ranks == 1 ? " rank]" : " ranks]");
                parent.addChild(DeviceTestDescriptor.test(unit, id, suffix, test(unit, marks, ranks, id)));
            }
        }
    }

    private static void claim(TestDescriptor unit) {
        if (unit.getChildren().isEmpty()) {
            Claims.claim(TestIds.jupiterTwin(unit.getUniqueId()));
        } else {
            unit.getChildren().forEach(DeviceTestDiscovery::claim);
        }
    }

    private DeviceTest test(TestDescriptor unit, DeviceMarks marks, int ranks, UniqueId id) {
        return new DeviceTest(
                TestIds.inRank(unit.getUniqueId()),
                selectionOf(id),
                marks.place(),
                ranks,
                marks.platforms(),
                marks.buffers(),
                marks.syncPrefix(),
                marks.runtime(),
                marks.freshFor(),
                marks.problem());
    }

    /** With unique ids alone, a variant runs if an id names it, something around it, or something inside it. */
    private boolean isSelected(UniqueId variant) {
        if (!selectedByIdAlone) {
            return true;
        }
        UniqueId plain = TestIds.withoutVariant(variant);
        return selectedIds.stream().anyMatch(id -> {
            UniqueId own = TestIds.isOfJupiter(id) ? TestIds.below(root, id) : id;
            return variant.hasPrefix(own) || own.hasPrefix(variant) || (hasNoVariant(own) && own.hasPrefix(plain));
        });
    }

    private static boolean hasNoVariant(UniqueId id) {
        return TestIds.withoutVariant(id).equals(id);
    }

    /** The ids of invocations that were asked for, if nothing asks for the test as a whole; else the test itself. */
    private List<String> selectionOf(UniqueId id) {
        UniqueId plain = TestIds.withoutVariant(id);
        List<String> inner = new ArrayList<>();
        for (UniqueId each : selectedIds) {
            UniqueId own = JupiterDiscovery.translated(each, root);
            if (plain.hasPrefix(own)) {
                return List.of(TestIds.inRank(plain));
            }
            if (own.hasPrefix(plain) && (hasNoVariant(each) || each.hasPrefix(id))) {
                inner.add(TestIds.inRank(own));
            }
        }
        return selectedByIdAlone && !inner.isEmpty() ? List.copyOf(inner) : List.of(TestIds.inRank(plain));
    }
}
