package org.rankunit.caller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.comm.recorder.CallPlace;

@Tag("unit")
class CallPlaceTest {

    private static int line() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
    }

    @Test
    void isTheLineOfTheCaller() {
        int before = line();
        assertThat(CallPlace.ofCaller()).isEqualTo("CallPlaceTest.java:" + (before + 1));
    }

    @Test
    void isTheLineThatCalledJavaIfJavaIsTheCaller() {
        int before = line();
        String place = Optional.<String>empty().orElseGet(CallPlace::ofCaller);

        assertThat(place).isEqualTo("CallPlaceTest.java:" + (before + 1));
    }

    private static String helper() {
        return String.valueOf(CallPlace.ofCaller());
    }

    @Test
    void hasTheLineThatCalledAHelper() {
        int before = line();
        String place = helper();

        assertThat(place).matches("CallPlaceTest\\.java:\\d+, called at CallPlaceTest\\.java:" + (before + 1));
    }

    @Test
    void isNoneIfOnlyTheTestFrameworkHasCalled() {
        assertThat(Assertions.<String>assertDoesNotThrow(CallPlace::ofCaller)).isNull();
    }
}
