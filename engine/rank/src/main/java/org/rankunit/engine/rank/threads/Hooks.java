package org.rankunit.engine.rank.threads;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.rankunit.engine.rank.threads.boot.ThreadHook;

/** Calls of {@link ThreadHook} in a method. */
abstract class Hooks extends MethodVisitor {

    static final String OF_OBJECT = "(Ljava/lang/Object;)V";

    static final String OF_FIELD = "(Ljava/lang/Object;Ljava/lang/String;)V";

    private static final String OWNER = Type.getInternalName(ThreadHook.class);

    Hooks(MethodVisitor next) {
        super(Opcodes.ASM9, next);
    }

    final void hook(String name, String descriptor) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, OWNER, name, descriptor, false);
    }

    /** Call a hook with what is on top of the stack. */
    final void hook(String name) {
        hook(name, OF_OBJECT);
    }

    static boolean isReturn(int opcode) {
        return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
    }
}
