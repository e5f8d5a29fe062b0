package org.rankunit.engine.discovery;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.ClassSelector;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/**
 * Distinguishes classes that may have device tests from those that cannot, by their annotations only, so that Jupiter need not search
 * the others a second time for us.
 *
 * <p>It looks everywhere a test may be marked, but not whether there is a test: it may report too many classes, but never misses one.
 */
final class MarkedClasses {

    private final Map<Class<? extends Annotation>, Boolean> marks = new HashMap<>();

    /** Whether the class, or one that Jupiter may find through it, may have a device test. */
    boolean mayHold(ClassSelector selector) {
        try {
            return mayHold(selector.getJavaClass());
        } catch (RuntimeException | LinkageError e) {
            // Jupiter reports what is wrong with this class.
            return true;
        }
    }

    boolean mayHold(Class<?> type) {
        return isMarked(type, new HashSet<>());
    }

    private boolean isMarked(Class<?> type, Set<Class<?>> seen) {
        if (type.getClassLoader() == null || !seen.add(type)) {
            return false;
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isMarked(method) || takesContext(method)) {
                return true;
            }
        }
        return isMarked((AnnotatedElement) type)
                || isAnyMarked(seen, type.getSuperclass())
                || isAnyMarked(seen, type.getInterfaces())
                || isAnyMarked(seen, type.getDeclaredClasses())
                || isWithinMarked(type.getEnclosingClass());
    }

    private boolean isAnyMarked(Set<Class<?>> seen, @Nullable Class<?>... types) {
        return Arrays.stream(types).anyMatch(type -> type != null && isMarked(type, seen));
    }

    /** The marks of an enclosing class apply to a test; the marks of other members of that class do not. */
    private boolean isWithinMarked(@Nullable Class<?> around) {
        return around != null && (inheritsMark(around) || isWithinMarked(around.getEnclosingClass()));
    }

    private boolean inheritsMark(Class<?> type) {
        return isMarked((AnnotatedElement) type)
                || Arrays.stream(type.getInterfaces()).anyMatch(this::inheritsMark)
                || (type.getSuperclass() != null && inheritsMark(type.getSuperclass()));
    }

    /** An ordinary test that takes a {@link RankContext} gets an error that explains what is missing; see {@link UnmarkedContext}. */
    private static boolean takesContext(Method method) {
        return Arrays.asList(method.getParameterTypes()).contains(RankContext.class);
    }

    private boolean isMarked(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (isMark(annotation.annotationType())) {
                return true;
            }
        }
        return false;
    }

    /** Whether an annotation is a mark, or carries one. */
    private boolean isMark(Class<? extends Annotation> annotation) {
        if (annotation == DeviceCount.class || annotation == Platforms.class) {
            return true;
        }
        Boolean known = marks.get(annotation);
        if (known == null) {
            // Annotations may carry each other; this entry ends the recursion.
            marks.put(annotation, false);
            known = isMarked((AnnotatedElement) annotation);
            marks.put(annotation, known);
        }
        return known;
    }
}
