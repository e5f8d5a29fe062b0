package org.rankunit.engine.rank.threads;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/** The volatile fields of the classes that a loader finds. A class whose file cannot be read has none. Thread-safe. */
final class VolatileFields {

    private final ClassLoader loader;

    /** Of each class, with those that it inherits: their own names, and those with the classes that declare them. */
    private final Map<String, Map<String, String>> known = new ConcurrentHashMap<>();

    VolatileFields(ClassLoader loader) {
        this.loader = loader;
    }

    /** Name a field with the class that declares it; {@code null} if it is not volatile. */
    @Nullable String nameOf(String owner, String field) {
        Map<String, String> fields = known.get(owner);
        if (fields == null) {
            fields = read(owner);
            known.put(owner, fields);
        }
        return fields.get(field);
    }

    private Map<String, String> read(String owner) {
        if (owner.startsWith("java/") || owner.startsWith("[")) {
            return Map.of();
        }
        try (InputStream file = loader.getResourceAsStream(owner + ".class")) {
            return file == null ? Map.of() : read(owner, new ClassReader(file));
        } catch (IOException | RuntimeException e) {
            return Map.of();
        }
    }

    private Map<String, String> read(String owner, ClassReader file) {
        String superName = file.getSuperName();
        Map<String, String> fields = new HashMap<>(superName == null ? Map.of() : read(superName));
        file.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public @Nullable FieldVisitor visitField(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            @Nullable Object value) {
                        if ((access & Opcodes.ACC_VOLATILE) != 0) {
                            fields.put(name, owner + "." + name);
                        } else {
                            fields.remove(name);
                        }
                        return null;
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return fields;
    }
}
