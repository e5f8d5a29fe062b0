package org.rankunit.engine.discovery;

import java.lang.reflect.AnnotatedElement;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * The resources that a class shares with others, as declared by Jupiter's {@code @ResourceLock} and {@code @Isolated}: two
 * classes that conflict never run at the same time.
 *
 * @param isolated whether it conflicts with every other class
 * @param changed keys of the resources that it changes
 * @param read keys of the resources that it only reads
 */
public record SharedResources(boolean isolated, Set<String> changed, Set<String> read) {

    /** Resources that each JVM has for itself, so that classes on different ranks do not share them. */
    private static final Set<String> OF_ONE_JVM = Set.of(
            Resources.SYSTEM_PROPERTIES,
            Resources.SYSTEM_OUT,
            Resources.SYSTEM_ERR,
            Resources.LOCALE,
            Resources.TIME_ZONE);

    /** No shared resources. */
    public static final SharedResources NONE = new SharedResources(false, Set.of(), Set.of());

    /** Find the shared resources of a class, including all classes and methods below it. */
    public static SharedResources of(TestDescriptor top) {
        Set<String> changed = new HashSet<>();
        Set<String> read = new HashSet<>();
        boolean[] isolated = {false};
        top.accept(node -> {
            AnnotatedElement element = node.getSource().orElse(null) instanceof ClassSource type
                    ? type.getJavaClass()
                    : node.getSource().orElse(null) instanceof MethodSource method ? method.getJavaMethod() : null;
            if (element != null) {
                isolated[0] |= AnnotationSupport.isAnnotated(element, Isolated.class);
                for (ResourceLock lock : AnnotationSupport.findRepeatableAnnotations(element, ResourceLock.class)) {
                    // Without a key the lock names providers, which only Jupiter can query.
                    if (!lock.value().isEmpty() && !OF_ONE_JVM.contains(lock.value())) {
                        (lock.mode() == ResourceAccessMode.READ ? read : changed).add(lock.value());
                    }
                }
            }
        });
        return new SharedResources(
                isolated[0] || changed.contains(Resources.GLOBAL), Set.copyOf(changed), Set.copyOf(read));
    }

    /** Whether classes with these shared resources may run at the same time. */
    public boolean goesWith(SharedResources other) {
        return !isolated
                && !other.isolated
                && Collections.disjoint(changed, other.changed)
                && Collections.disjoint(changed, other.read)
                && Collections.disjoint(read, other.changed);
    }
}
