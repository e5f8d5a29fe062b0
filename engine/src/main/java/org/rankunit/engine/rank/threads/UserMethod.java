package org.rankunit.engine.rank.threads;

import java.util.function.BiPredicate;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A method of a user's class, whose threads meet in {@code synchronized}, by volatile fields and in {@code Object.wait}. A thread may
 * begin with it.
 */
final class UserMethod extends Hooks {

    private final MeetingCode.Method method;

    /** Whether a field of a class, in the names of class files, is volatile. */
    private final BiPredicate<String, String> isVolatile;

    UserMethod(MeetingCode.Method method, BiPredicate<String, String> isVolatile, MethodVisitor next) {
        super(next);
        this.method = method;
        this.isVolatile = isVolatile;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (method.name().equals("run") && method.descriptor().equals("()V") && !method.isStatic()) {
            visitVarInsn(Opcodes.ALOAD, 0);
            hook("begin");
        }
        if (method.isSynchronized()) {
            pushMonitor();
            hook("acquire");
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (method.isSynchronized() && (isReturn(opcode) || opcode == Opcodes.ATHROW)) {
            pushMonitor();
            hook("release");
        }
        if (opcode == Opcodes.MONITORENTER) {
            super.visitInsn(Opcodes.DUP);
            super.visitInsn(opcode);
            hook("acquire");
        } else if (opcode == Opcodes.MONITOREXIT) {
            super.visitInsn(Opcodes.DUP);
            hook("release");
            super.visitInsn(opcode);
        } else {
            super.visitInsn(opcode);
        }
    }

    private void pushMonitor() {
        if (method.isStatic()) {
            visitLdcInsn(Type.getObjectType(method.owner()));
        } else {
            visitVarInsn(Opcodes.ALOAD, 0);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (opcode == Opcodes.INVOKEVIRTUAL && name.equals("wait") && descriptor.matches("\\((J|JI)?\\)V")) {
            hook("await", descriptor.replace("(", "(Ljava/lang/Object;"));
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }

    /** All volatile fields of an object are one here, and so are those of a class. */
    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        if (!isVolatile.test(owner, name)) {
            super.visitFieldInsn(opcode, owner, name, descriptor);
            return;
        }
        boolean wide = Type.getType(descriptor).getSize() == 2;
        switch (opcode) {
            case Opcodes.GETSTATIC -> {
                super.visitFieldInsn(opcode, owner, name, descriptor);
                visitLdcInsn(Type.getObjectType(owner));
                hook("acquire");
            }
            case Opcodes.PUTSTATIC -> {
                visitLdcInsn(Type.getObjectType(owner));
                hook("release");
                super.visitFieldInsn(opcode, owner, name, descriptor);
            }
            case Opcodes.GETFIELD -> {
                super.visitInsn(Opcodes.DUP);
                super.visitFieldInsn(opcode, owner, name, descriptor);
                pullObject(wide);
                hook("acquire");
            }
            default -> {
                if (!method.isConstructor()) {
                    releaseTarget(wide);
                }
                super.visitFieldInsn(opcode, owner, name, descriptor);
            }
        }
    }

    /** From an object and the value above it to the value and the object above it. */
    private void pullObject(boolean wide) {
        if (wide) {
            super.visitInsn(Opcodes.DUP2_X1);
            super.visitInsn(Opcodes.POP2);
        } else {
            super.visitInsn(Opcodes.SWAP);
        }
    }

    /** Release the object below the value that is about to be written to its field. */
    private void releaseTarget(boolean wide) {
        pullObject(wide);
        super.visitInsn(Opcodes.DUP);
        hook("release");
        if (wide) {
            super.visitInsn(Opcodes.DUP_X2);
            super.visitInsn(Opcodes.POP);
        } else {
            super.visitInsn(Opcodes.SWAP);
        }
    }
}
