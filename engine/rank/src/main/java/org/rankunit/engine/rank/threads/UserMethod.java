package org.rankunit.engine.rank.threads;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A method of a user's class, whose threads meet in {@code synchronized}, by volatile fields and in {@code Object.wait}. A thread may
 * begin with it.
 */
final class UserMethod extends Hooks {

    private final MeetingCode.Method method;

    private final VolatileFields volatileFields;
    private final Label begin = new Label();
    private final Set<Label> interrupted = new HashSet<>();
    private boolean isInterrupted;

    UserMethod(MeetingCode.Method method, VolatileFields volatileFields, MethodVisitor next) {
        super(next);
        this.method = method;
        this.volatileFields = volatileFields;
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
            super.visitLabel(begin);
        }
    }

    /** Who catches the exception knows what those did that have interrupted. */
    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        if ("java/lang/InterruptedException".equals(type)) {
            interrupted.add(handler);
        }
        super.visitTryCatchBlock(start, end, handler, type);
    }

    @Override
    public void visitLabel(Label label) {
        isInterrupted |= interrupted.contains(label);
        super.visitLabel(label);
    }

    /** A handler begins with one, or with an instruction without operands. */
    @Override
    public void visitVarInsn(int opcode, int local) {
        catchInterrupt();
        super.visitVarInsn(opcode, local);
    }

    private void catchInterrupt() {
        if (isInterrupted) {
            isInterrupted = false;
            hook("unparked", "()V");
        }
    }

    /** A synchronized method that an exception leaves lets go of its monitor as well. */
    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        if (method.isSynchronized() && method.hasFrames()) {
            Label handler = new Label();
            super.visitLabel(handler);
            Object[] locals = method.locals();
            super.visitFrame(Opcodes.F_FULL, locals.length, locals, 1, new Object[] {"java/lang/Throwable"});
            pushMonitor();
            hook("release");
            super.visitInsn(Opcodes.ATHROW);
            super.visitTryCatchBlock(begin, handler, handler, null);
        }
        super.visitMaxs(maxStack, maxLocals);
    }

    @Override
    public void visitInsn(int opcode) {
        catchInterrupt();
        if (method.isSynchronized() && isReturn(opcode)) {
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
        } else if (opcode == Opcodes.INVOKEVIRTUAL && owner.equals("java/lang/Thread") && name.equals("isAlive")) {
            hook("isAlive", "(Ljava/lang/Thread;)Z");
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        String field = volatileFields.nameOf(owner, name);
        // Before it calls another constructor, an object that is made cannot be handed over, and need not be.
        boolean isMade = method.isConstructor() && method.owner().equals(owner) && opcode == Opcodes.PUTFIELD;
        if (field == null || isMade) {
            super.visitFieldInsn(opcode, owner, name, descriptor);
            return;
        }
        boolean wide = Type.getType(descriptor).getSize() == 2;
        switch (opcode) {
            case Opcodes.GETSTATIC -> {
                super.visitFieldInsn(opcode, owner, name, descriptor);
                visitLdcInsn(field);
                hook("acquire");
            }
            case Opcodes.PUTSTATIC -> {
                visitLdcInsn(field);
                hook("release");
                super.visitFieldInsn(opcode, owner, name, descriptor);
            }
            case Opcodes.GETFIELD -> {
                super.visitInsn(Opcodes.DUP);
                super.visitFieldInsn(opcode, owner, name, descriptor);
                pullObject(wide);
                visitLdcInsn(field);
                hook("acquire", OF_FIELD);
            }
            default -> {
                releaseTarget(field, wide);
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
    private void releaseTarget(String field, boolean wide) {
        pullObject(wide);
        super.visitInsn(Opcodes.DUP);
        visitLdcInsn(field);
        hook("release", OF_FIELD);
        if (wide) {
            super.visitInsn(Opcodes.DUP_X2);
            super.visitInsn(Opcodes.POP);
        } else {
            super.visitInsn(Opcodes.SWAP);
        }
    }
}
