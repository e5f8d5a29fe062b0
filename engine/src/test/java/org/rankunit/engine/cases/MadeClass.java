package org.rankunit.engine.cases;

import java.io.IOException;
import java.nio.file.Path;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.implementation.MethodCall;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;

/** A class file that javac would not write, or that is not where ranks find theirs. */
public final class MadeClass {

    private MadeClass() {}

    /** Write a class with a device test for two ranks, which notes its own name; returns the name of the class. */
    public static String in(Path folder, String simpleName, String test) throws IOException {
        String name = MadeClass.class.getPackageName() + "." + simpleName;
        try (DynamicType.Unloaded<?> made = new ByteBuddy()
                .with(TypeValidation.DISABLED)
                .subclass(Object.class)
                .name(name)
                .annotateType(AnnotationDescription.Builder.ofType(DeviceCount.class)
                        .defineArray("value", 2)
                        .build())
                .defineMethod(test, void.class, Visibility.PUBLIC)
                .intercept(MethodCall.invoke(Notes.class.getMethod("add", String.class))
                        .with("made " + test))
                .annotateMethod(AnnotationDescription.Builder.ofType(Test.class).build())
                .make()) {
            made.saveIn(folder.toFile());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
        return name;
    }
}
