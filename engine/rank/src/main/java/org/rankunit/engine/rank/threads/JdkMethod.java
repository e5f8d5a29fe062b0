package org.rankunit.engine.rank.threads;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A method of the JDK by which threads meet. */
final class JdkMethod extends Hooks {

    private final Meeting meeting;
    private final boolean isStatic;

    private JdkMethod(Meeting meeting, boolean isStatic, MethodVisitor next) {
        super(next);
        this.meeting = meeting;
        this.isStatic = isStatic;
    }

    static MethodVisitor changed(MeetingCode.Method method, MethodVisitor next) {
        Meeting meeting = method.isConstructor() ? null : Meeting.of(method.owner(), method.name());
        boolean lacksObject = method.isStatic() && meeting != null && meeting.key() == Meeting.Key.THIS;
        return meeting == null || lacksObject ? next : new JdkMethod(meeting, method.isStatic(), next);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (meeting.acquires() == Meeting.Acquires.FIRST) {
            call("acquire");
        }
        if (meeting.releases()) {
            call("release");
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (isReturn(opcode) && meeting.acquires() == Meeting.Acquires.LAST) {
            call("acquire");
        }
        super.visitInsn(opcode);
    }

    private void call(String what) {
        switch (meeting.key()) {
            case CALLER -> hook("unparked", "()V");
            case BEGIN -> {
                visitVarInsn(Opcodes.ALOAD, 0);
                hook("begin");
            }
            case THIS -> {
                visitVarInsn(Opcodes.ALOAD, 0);
                hook(meeting.ofUser() ? what + "OfUser" : what);
            }
            case FIRST_ARGUMENT -> {
                visitVarInsn(Opcodes.ALOAD, isStatic ? 0 : 1);
                hook(what);
            }
            case ALL_FUTURES, ALL_TASKS -> {
                visitLdcInsn(meeting.key().name());
                hook(what);
            }
        }
    }
}
