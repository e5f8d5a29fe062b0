package org.rankunit.engine.discovery;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryListener;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.IterationSelector;
import org.junit.platform.engine.discovery.UniqueIdSelector;

/** Asks Jupiter's own engine which tests there are. */
final class JupiterDiscovery {

    private JupiterDiscovery() {}

    /** Let Jupiter resolve the request below {@code root}; empty if Jupiter is not on the class path. */
    static Optional<TestDescriptor> discover(EngineDiscoveryRequest request, UniqueId root, MarkedClasses marked) {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class)) {
            if (engine.getId().equals(TestIds.JUPITER)) {
                return Optional.of(engine.discover(translated(request, root, marked), root));
            }
        }
        return Optional.empty();
    }

    /**
     * The request as Jupiter must see it: only unique ids that Jupiter knows, no classes that cannot have device tests, and a
     * listener that ignores discovery issues, since the ordinary Jupiter run reports the same ones.
     *
     * <p>It is a proxy, because a class compiled against an old platform would lack the newer methods of the interface, and
     * Jupiter rejects such a request.
     */
    private static EngineDiscoveryRequest translated(
            EngineDiscoveryRequest request, UniqueId root, MarkedClasses marked) {
        EngineDiscoveryListener listener = proxy(
                EngineDiscoveryListener.class, request.getDiscoveryListener(), result -> result, "issueEncountered");
        return proxy(EngineDiscoveryRequest.class, request, result -> {
            if (result instanceof EngineDiscoveryListener) {
                return listener;
            }
            return result instanceof List<?> selectors ? translated(selectors, root, marked) : result;
        });
    }

    private static List<Object> translated(List<?> selectors, UniqueId root, MarkedClasses marked) {
        List<Object> result = new ArrayList<>(selectors.size());
        for (Object selector : selectors) {
            boolean isOurs = selector instanceof UniqueIdSelector id
                    && TestIds.classOfMisplaced(id.getUniqueId()).isPresent();
            boolean isOrdinary = selector instanceof ClassSelector type && !marked.mayHold(type);
            if (!isOurs && !isOrdinary) {
                result.add(selector instanceof DiscoverySelector known ? translated(known, root) : selector);
            }
        }
        return result;
    }

    private static DiscoverySelector translated(DiscoverySelector selector, UniqueId root) {
        if (selector instanceof UniqueIdSelector id) {
            return DiscoverySelectors.selectUniqueId(translated(id.getUniqueId(), root));
        } else if (selector instanceof IterationSelector some) {
            int[] indices = some.getIterationIndices().stream()
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
            return DiscoverySelectors.selectIteration(translated(some.getParentSelector(), root), indices);
        }
        return selector;
    }

    /** Translate Jupiter's saved ids to ours, so that an id saved before the test became a device test still finds it. */
    static UniqueId translated(UniqueId id, UniqueId root) {
        boolean savedFromJupiter = TestIds.isOfJupiter(id) && id.getEngineId().equals(Optional.of(TestIds.JUPITER));
        return TestIds.withoutVariant(savedFromJupiter ? TestIds.below(root, id) : id);
    }

    private static <T> T proxy(
            Class<T> type, T target, java.util.function.UnaryOperator<Object> result, String... swallowed) {
        return type.cast(Proxy.newProxyInstance(
                JupiterDiscovery.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (List.of(swallowed).contains(method.getName())) {
                        return null;
                    }
                    try {
                        Object value = method.invoke(target, arguments);
                        return value == null ? null : result.apply(value);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
