package org.rankunit.engine.rank.threads;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Adds calls of {@link org.rankunit.engine.rank.threads.boot.ThreadHook} to the methods of a class. No branch is added, so the frames
 * of the methods stay right.
 */
final class MeetingCode extends ClassVisitor {

    /** What becomes of the methods of one class. */
    interface Methods {

        /** Returns {@code next}, or what passes changed code on to it. */
        MethodVisitor changed(Method method, MethodVisitor next);
    }

    /** A method with code, in the names of class files. */
    record Method(int version, String owner, int access, String name, String descriptor) {

        /** Whether the class says of each target of a branch what is on the stack. */
        boolean hasFrames() {
            return (version & 0xffff) >= Opcodes.V1_7;
        }

        /** What its local variables are when it begins, and always are as far as they are used. */
        Object[] locals() {
            List<Object> locals = new ArrayList<>();
            if (!isStatic()) {
                locals.add(owner);
            }
            for (Type type : Type.getArgumentTypes(descriptor)) {
                locals.add(
                        switch (type.getSort()) {
                            case Type.LONG -> Opcodes.LONG;
                            case Type.DOUBLE -> Opcodes.DOUBLE;
                            case Type.FLOAT -> Opcodes.FLOAT;
                            case Type.ARRAY, Type.OBJECT -> type.getInternalName();
                            default -> Opcodes.INTEGER;
                        });
            }
            return locals.toArray();
        }

        boolean isStatic() {
            return (access & Opcodes.ACC_STATIC) != 0;
        }

        boolean isSynchronized() {
            return (access & Opcodes.ACC_SYNCHRONIZED) != 0;
        }

        boolean isConstructor() {
            return name.equals("<init>");
        }
    }

    private final Methods methods;
    private String className = "";
    private int classVersion;

    private MeetingCode(ClassWriter writer, Methods methods) {
        super(Opcodes.ASM9, writer);
        this.methods = methods;
    }

    /** Returns the changed class. */
    static byte[] addTo(byte[] classFile, Methods methods) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new MeetingCode(writer, methods), 0);
        return writer.toByteArray();
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        className = name;
        classVersion = version;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
        return hasCode ? methods.changed(new Method(classVersion, className, access, name, descriptor), next) : next;
    }
}
