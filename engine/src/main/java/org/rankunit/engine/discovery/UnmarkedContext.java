package org.rankunit.engine.discovery;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.rankunit.RankContext;
import org.rankunit.engine.discovery.declaration.DeclarationReader;
import org.rankunit.engine.discovery.declaration.DeclaredTest;

/**
 * A test that takes a {@link RankContext} but is not a device test. Jupiter would report that no extension resolves the parameter, but
 * not what is missing. If an extension of the user may resolve it, as with mocks, it is not treated as a mistake.
 */
final class UnmarkedContext {

    private UnmarkedContext() {}

    /**
     * Find this mistake in an ordinary test; empty if there is none.
     *
     * @param autodetects whether Jupiter looks for extensions that no annotation names
     */
    static Optional<DeclaredTest> in(TestDescriptor leaf, boolean autodetects) {
        if (autodetects
                || !leaf.getChildren().isEmpty()
                || !(leaf.getSource().orElse(null) instanceof MethodSource source)) {
            return Optional.empty();
        }
        Method method = source.getJavaMethod();
        boolean asks = Arrays.stream(method.getParameters()).anyMatch(UnmarkedContext::isAskedOfUs);
        return asks && DeclarationReader.elementsOf(leaf).stream().noneMatch(UnmarkedContext::isExtended)
                ? Optional.of(DeclarationReader.mistaken(
                        method,
                        " takes a RankContext but is not a device test, so it gets none. Add @DeviceCount (or"
                                + " @Platforms) to the method or its class."))
                : Optional.empty();
    }

    private static boolean isAskedOfUs(Parameter parameter) {
        return parameter.getType() == RankContext.class && parameter.getAnnotations().length == 0;
    }

    private static boolean isExtended(AnnotatedElement element) {
        return !AnnotationSupport.findRepeatableAnnotations(element, ExtendWith.class)
                        .isEmpty()
                || (element instanceof Class<?> type
                        && !AnnotationSupport.findAnnotatedFields(type, RegisterExtension.class)
                                .isEmpty());
    }
}
