package org.rankunit.engine.discovery.declaration;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.AnnotationSupport;
import org.rankunit.Buffer;
import org.rankunit.Rounds;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestDeclaration;

/** Reads {@link Rounds}. */
final class DeclaredRounds {

    private DeclaredRounds() {}

    static TestDeclaration.Rounds of(Rounds rounds) {
        return new TestDeclaration.Rounds(rounds.value(), rounds.warmUp(), rounds.sameBits());
    }

    /** What is wrong with it, or {@code null}; {@code test} is the method or class of the test. */
    static @Nullable String problemOf(
            Rounds rounds, List<BufferDeclaration> buffers, AnnotatedElement test, String place) {
        if (rounds.value() < 1) {
            return place + ": @Rounds(" + rounds.value() + ") is not a number of rounds. Give one from 1 to "
                    + Rounds.MAX + ".";
        }
        if (rounds.warmUp() < 0) {
            return place + ": @Rounds(warmUp = " + rounds.warmUp() + ") is negative. Give 0 or more.";
        }
        if ((long) rounds.value() + rounds.warmUp() > Rounds.MAX) {
            return place + ": @Rounds(value = " + rounds.value() + ", warmUp = " + rounds.warmUp() + ") are more than "
                    + Rounds.MAX + " rounds together. Give fewer.";
        }
        if (AnnotationSupport.isAnnotated(test, TestFactory.class)) {
            return place
                    + ": the tests of a @TestFactory run once, so @Rounds cannot apply to them. Make it a test, or"
                    + " leave @Rounds out.";
        }
        if (rounds.sameBits() && buffers.stream().noneMatch(DeclaredRounds::isWritten)) {
            return place + ": @Rounds(sameBits = true) compares buffers with the role OUTPUT or INOUT, and the test has"
                    + " none. Give its outputs a role: @Buffer(..., role = OUTPUT).";
        }
        return null;
    }

    private static boolean isWritten(BufferDeclaration buffer) {
        return buffer.role() == Buffer.Role.OUTPUT || buffer.role() == Buffer.Role.INOUT;
    }
}
