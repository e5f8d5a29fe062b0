package org.rankunit.engine.discovery.declaration;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rankunit.Buffer;
import org.rankunit.engine.protocol.BufferDeclaration;

/** Finds the buffers that annotations declare. Stateless. */
final class DeclaredBuffers {

    private DeclaredBuffers() {}

    /** Find the buffers of a class: those of its interfaces and superclasses first. */
    static List<BufferDeclaration> ofClass(Class<?> type) {
        List<BufferDeclaration> found = new ArrayList<>();
        collectHierarchy(type, new HashSet<>(), found);
        return found;
    }

    /** Find the buffers of only this element, declared directly or by a meta-annotation, in the order of declaration. */
    static List<BufferDeclaration> of(AnnotatedElement element, String place) {
        List<BufferDeclaration> found = new ArrayList<>();
        collect(element, place, new HashSet<>(), found);
        return found;
    }

    private static void collectHierarchy(Class<?> type, Set<Class<?>> seen, List<BufferDeclaration> found) {
        if (!seen.add(type)) {
            return;
        }
        if (type.getSuperclass() != null) {
            collectHierarchy(type.getSuperclass(), seen, found);
        }
        for (Class<?> each : type.getInterfaces()) {
            collectHierarchy(each, seen, found);
        }
        collect(type, type.getName(), new HashSet<>(), found);
    }

    private static void collect(
            AnnotatedElement element, String place, Set<Class<?>> seen, List<BufferDeclaration> found) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation instanceof Buffer buffer) {
                found.add(of(buffer, place));
            } else if (annotation instanceof Buffer.List list) {
                for (Buffer buffer : list.value()) {
                    found.add(of(buffer, place));
                }
            } else if (seen.add(annotation.annotationType())) {
                collect(annotation.annotationType(), place, seen, found);
            }
        }
    }

    private static BufferDeclaration of(Buffer buffer, String place) {
        List<Integer> shape = Arrays.stream(buffer.shape()).boxed().toList();
        int count = buffer.count() == 0 && !shape.isEmpty() ? product(shape) : buffer.count();
        return new BufferDeclaration(
                buffer.name(),
                buffer.type(),
                count,
                buffer.placement(),
                shape,
                buffer.role(),
                buffer.unverified(),
                place);
    }

    /** The number of elements; 0 if the shape is invalid, or has more of them than a buffer can have. */
    static int product(List<Integer> shape) {
        long product = 1;
        for (int extent : shape) {
            product = extent < 1 ? 0 : product * extent;
            if (product == 0 || product > Integer.MAX_VALUE) {
                return 0;
            }
        }
        return (int) product;
    }
}
