package org.rankunit.engine.discovery;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.IterationSelector;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.discovery.NestedClassSelector;
import org.junit.platform.engine.discovery.NestedMethodSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * Which variants of a test a request selects, and for each of them whether it selects the whole test or only some of its
 * invocations, which only the ranks will discover.
 */
final class Selection {

    private final UniqueId root;
    private final List<DiscoverySelector> selectors;
    private final Map<UniqueId, UniqueId> ownIds = new HashMap<>();
    private final Set<UniqueIdSelector> ofNothing = new LinkedHashSet<>();

    /** How much of a test one selector selects. */
    private enum Extent {
        NOTHING,
        INSIDE,
        ALL
    }

    Selection(EngineDiscoveryRequest request, UniqueId root) {
        this.root = root;
        this.selectors = request.getSelectorsByType(DiscoverySelector.class);
        for (UniqueIdSelector selector : request.getSelectorsByType(UniqueIdSelector.class)) {
            if (!hasNoVariant(selector.getUniqueId())) {
                ofNothing.add(selector);
            }
        }
    }

    /** Find what the ranks must select of a variant: the test itself, or some of its invocations; empty for nothing. */
    List<String> of(TestDescriptor unit, UniqueId variant) {
        Set<String> inside = new LinkedHashSet<>();
        boolean all = false;
        for (DiscoverySelector selector : selectors) {
            IterationSelector some = selector instanceof IterationSelector iterations ? iterations : null;
            DiscoverySelector what = some == null ? selector : some.getParentSelector();
            Extent extent = extentOf(what, unit, variant);
            if (extent != Extent.NOTHING && what instanceof UniqueIdSelector) {
                ofNothing.remove(what);
            }
            if (extent == Extent.INSIDE && what instanceof UniqueIdSelector id) {
                inside.add(TestIds.inRank(JupiterDiscovery.translated(id.getUniqueId(), root)));
            } else if (extent == Extent.ALL && some != null) {
                some.getIterationIndices()
                        .forEach(index -> inside.addAll(TestIds.iteration(unit.getUniqueId(), index)));
            }
            all |= extent == Extent.ALL && some == null;
        }
        return all ? List.of(TestIds.inRank(unit.getUniqueId())) : List.copyOf(inside);
    }

    /** The selectors that name a variant that none of the tests passed to {@link #of} so far has. */
    Set<UniqueIdSelector> ofNothing() {
        return ofNothing;
    }

    private Extent extentOf(DiscoverySelector selector, TestDescriptor unit, UniqueId variant) {
        if (selector instanceof UniqueIdSelector id) {
            return extentOf(id.getUniqueId(), unit, variant);
        } else if (selector instanceof MethodSelector method) {
            return extentOf(unit, method.getClassName(), method.getMethodName(), method.getParameterTypeNames());
        } else if (selector instanceof NestedMethodSelector method) {
            return extentOf(unit, method.getNestedClassName(), method.getMethodName(), method.getParameterTypeNames());
        } else if (selector instanceof ClassSelector type) {
            return extentOf(unit, type.getClassName());
        } else if (selector instanceof NestedClassSelector type) {
            return extentOf(unit, type.getNestedClassName());
        }
        // A package, a folder or a file: Jupiter finds what is in it, and selects each test in it as a whole.
        return Extent.ALL;
    }

    private Extent extentOf(UniqueId id, TestDescriptor unit, UniqueId variant) {
        UniqueId own = ownIds.computeIfAbsent(id, key -> TestIds.isOfJupiter(key) ? TestIds.below(root, key) : key);
        if (variant.hasPrefix(own)) {
            return Extent.ALL;
        }
        boolean inside = own.hasPrefix(variant) || (own.hasPrefix(unit.getUniqueId()) && hasNoVariant(own));
        return inside ? Extent.INSIDE : Extent.NOTHING;
    }

    private static Extent extentOf(TestDescriptor unit, String type) {
        for (TestDescriptor d = unit; d != null; d = d.getParent().orElse(null)) {
            if (d.getSource().orElse(null) instanceof ClassSource source
                    && source.getClassName().equals(type)) {
                return Extent.ALL;
            }
        }
        return Extent.NOTHING;
    }

    private static Extent extentOf(TestDescriptor unit, String type, String method, String parameterTypes) {
        if (!(unit.getSource().orElse(null) instanceof MethodSource source)) {
            // A class template runs as a whole, whichever of its methods is selected.
            return Extent.ALL;
        }
        boolean same = source.getClassName().equals(type)
                && source.getMethodName().equals(method)
                && withoutBlanks(source.getMethodParameterTypes()).equals(withoutBlanks(parameterTypes));
        return same ? Extent.ALL : Extent.NOTHING;
    }

    private static String withoutBlanks(String text) {
        return text.replace(" ", "");
    }

    private static boolean hasNoVariant(UniqueId id) {
        return TestIds.withoutVariant(id).equals(id);
    }
}
