package org.rankunit.engine.rank.threads;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Opcodes;

/** The volatile fields of the classes that a loader finds. A class whose file cannot be read has none. Thread-safe. */
final class VolatileFields implements BiPredicate<String, String> {

    private final ClassLoader loader;
    private final Map<String, Set<String>> known = new ConcurrentHashMap<>();

    VolatileFields(ClassLoader loader) {
        this.loader = loader;
    }

    @Override
    public boolean test(String owner, String name) {
        Set<String> fields = known.get(owner);
        if (fields == null) {
            fields = read(owner);
            known.put(owner, fields);
        }
        return fields.contains(name);
    }

    private Set<String> read(String owner) {
        if (owner.startsWith("java/") || owner.startsWith("[")) {
            return Set.of();
        }
        try (InputStream file = loader.getResourceAsStream(owner + ".class")) {
            return file == null ? Set.of() : read(new ClassReader(file));
        } catch (IOException | RuntimeException e) {
            return Set.of();
        }
    }

    private Set<String> read(ClassReader file) {
        String superName = file.getSuperName();
        Set<String> fields = new HashSet<>(superName == null ? Set.of() : read(superName));
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
                            fields.add(name);
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
