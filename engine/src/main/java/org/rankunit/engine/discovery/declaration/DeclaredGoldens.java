package org.rankunit.engine.discovery.declaration;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.AnnotationSupport;
import org.rankunit.GoldenFiles;
import org.rankunit.GoldenModel;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.golden.model.OutputCheck;

/** Reads {@link GoldenModel} and {@link GoldenFiles}, and finds mistakes in them. Stateless. */
final class DeclaredGoldens {

    private static final int MAX_NAME_CHARS = 100;

    private DeclaredGoldens() {}

    /** @param place finds where an annotation is declared */
    static TestDeclaration.@Nullable GoldenSource of(
            List<AnnotatedElement> elements,
            BiFunction<List<AnnotatedElement>, Class<? extends Annotation>, String> place) {
        Optional<GoldenModel> model = DeclarationReader.first(elements, GoldenModel.class);
        Optional<GoldenFiles> files = DeclarationReader.first(elements, GoldenFiles.class);
        if (model.isPresent()) {
            String name = model.get().value().getName();
            return new TestDeclaration.GoldenSource(
                    place.apply(elements, GoldenModel.class),
                    name,
                    "",
                    name,
                    model.get().perInvocation());
        }
        return files.map(declared -> new TestDeclaration.GoldenSource(
                        place.apply(elements, GoldenFiles.class),
                        "",
                        declared.value(),
                        declared.check().getName(),
                        false))
                .orElse(null);
    }

    static @Nullable String problemOf(
            List<AnnotatedElement> elements,
            TestDeclaration declaration,
            BiFunction<List<AnnotatedElement>, Class<? extends Annotation>, String> place) {
        TestDeclaration.GoldenSource source = declaration.goldens();
        if (source == null) {
            return null;
        }
        Optional<GoldenModel> model = DeclarationReader.first(elements, GoldenModel.class);
        Optional<GoldenFiles> files = DeclarationReader.first(elements, GoldenFiles.class);
        String mark = source.isFiles() ? "@GoldenFiles" : "@GoldenModel";
        if (model.isPresent() && files.isPresent()) {
            return declaration.place() + ": the test has @GoldenModel (" + place.apply(elements, GoldenModel.class)
                    + ") and @GoldenFiles (" + place.apply(elements, GoldenFiles.class) + "). Remove one of them.";
        }
        if (AnnotationSupport.isAnnotated(elements.get(0), TestFactory.class)) {
            return declaration.place() + ": " + mark
                    + " does not work with @TestFactory, whose dynamic tests share their buffers. Write a @Test or a"
                    + " @ParameterizedTest, or verify with Golden.";
        }
        for (BufferDeclaration buffer : declaration.buffers()) {
            if (!isFileName(buffer.name())) {
                return buffer.place() + ": @Buffer(name = \"" + buffer.name() + "\") cannot be the name of a file, as "
                        + mark + " needs it. Use letters, digits, '_' and '-'.";
            }
        }
        if (source.isFiles()) {
            OutputCheck none = new OutputCheck() {};
            Class<?> check = files.get().check();
            return source.folder().isBlank()
                    ? source.place() + ": @GoldenFiles names no folder. Give one, relative to the folder of the module."
                    : check.isAssignableFrom(none.getClass())
                            ? null
                            : problemOf(check, source.place() + ": @GoldenFiles(check = ");
        }
        return problemOf(model.orElseThrow().value(), source.place() + ": @GoldenModel(");
    }

    /** A name that has a dot would be confused with the endings of files. */
    private static boolean isFileName(String name) {
        return name.length() <= MAX_NAME_CHARS
                && name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == ' ');
    }

    private static @Nullable String problemOf(Class<?> type, String shown) {
        String named = shown + type.getSimpleName() + ".class)";
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return named + ": no instance of " + type.getName() + " can be created, because it is "
                    + (type.isInterface() ? "an interface" : "abstract") + ". Name a class.";
        }
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            return named + ": " + type.getName()
                    + " is an inner class, and there is no instance of the outer one. Make it static.";
        }
        return Stream.of(type.getDeclaredConstructors()).anyMatch(made -> made.getParameterCount() == 0)
                ? null
                : named + ": " + type.getName() + " has no constructor without arguments. Add one.";
    }
}
