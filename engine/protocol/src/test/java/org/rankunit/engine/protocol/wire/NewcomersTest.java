package org.rankunit.engine.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class NewcomersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Its values overflow during the tests, as those of a real clock may. */
    private long now = Long.MAX_VALUE - PATIENCE.toNanos() / 2;

    private final Newcomers<Caller> newcomers = new Newcomers<>("a call", PATIENCE, () -> now);

    private static final class Caller implements AutoCloseable {

        private boolean closed;

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void ofTooManyOnlyTheOldestIsClosed() {
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < Newcomers.MAX + 2; i++) {
            callers.add(call("10.0.0." + i));
        }

        assertThat(IntStream.range(0, callers.size()).filter(i -> callers.get(i).closed))
                .containsExactly(0, 1);
    }

    @Test
    void ofTooManyOfOneAddressItsOldestIsClosedThoughOthersAreOlder() {
        Caller other = call("10.0.0.1");
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < Newcomers.MAX_OF_ADDRESS + 1; i++) {
            callers.add(call("10.0.0.2"));
        }

        assertThat(other.closed).isFalse();
        assertThat(IntStream.range(0, callers.size()).filter(i -> callers.get(i).closed))
                .containsExactly(0);
    }

    @Test
    void socketsOfTheFileSystemHaveNoLimitForAnAddress() {
        Caller first = new Caller();
        newcomers.add(first, null);
        for (int i = 1; i < Newcomers.MAX; i++) {
            newcomers.add(new Caller(), null);
        }

        assertThat(first.closed).isFalse();
        newcomers.add(new Caller(), null);
        assertThat(first.closed).isTrue();
    }

    @Test
    void whoIsAdmittedIsNeverClosedHere() {
        Caller rank = call("10.0.0.1");
        assertThat(newcomers.admit(rank)).isTrue();
        for (int i = 0; i < Newcomers.MAX + 1; i++) {
            call("10.0.0.1");
        }
        now += PATIENCE.toNanos();
        newcomers.refuseLate();
        newcomers.refuse(rank, "no reason");

        assertThat(rank.closed).isFalse();
    }

    @Test
    void whoWasRefusedIsNotAdmitted() {
        Caller caller = call("10.0.0.1");
        newcomers.refuse(caller, "it lies");

        assertThat(caller.closed).isTrue();
        assertThat(newcomers.admit(caller)).isFalse();
    }

    @Test
    void eachHasItsTimeFromWhenItCame() {
        long begin = now;
        Caller first = call("10.0.0.1");
        now += 10;
        Caller second = call("10.0.0.2");

        assertThat(newcomers.nextBefore(begin + 2 * PATIENCE.toNanos())).isEqualTo(begin + PATIENCE.toNanos());
        assertThat(newcomers.nextBefore(begin + 7)).isEqualTo(begin + 7);
        now = begin + PATIENCE.toNanos() - 1;
        newcomers.refuseLate();
        assertThat(first.closed).isFalse();
        now++;
        newcomers.refuseLate();
        assertThat(first.closed).isTrue();
        assertThat(second.closed).isFalse();
        assertThat(newcomers.nextBefore(begin + 2 * PATIENCE.toNanos())).isEqualTo(begin + 10 + PATIENCE.toNanos());
    }

    @Test
    void thoseThatWereRefusedAreCountedByAddress() {
        assertThat(newcomers.describeRefused()).isEmpty();
        call("10.0.0.1");
        assertThat(newcomers.describeRefused()).isEmpty();
        newcomers.refuse(call("10.0.0.9"), "it lies");
        assertThat(newcomers.describeRefused())
                .contains("1 unidentified connection was refused (1 from 10.0.0.9), the last because it lies");
        newcomers.refuse(call("10.0.0.8"), "it lies");
        newcomers.refuse(call("10.0.0.9"), "it mumbles");

        assertThat(newcomers.describeRefused())
                .contains("3 unidentified connections were refused (2 from 10.0.0.9, 1 from 10.0.0.8), the last because"
                        + " it mumbles");
    }

    @Test
    void ofVeryManyAddressesOnlySomeAreNamed() {
        for (int i = 0; i < 200; i++) {
            newcomers.refuse(call("10.0.0." + i), "it lies");
        }

        assertThat(newcomers.describeRefused())
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("200 unidentified connections were refused (1 from 10.0.0.0, ")
                        .contains("1 from 10.0.0.7, 192 from other addresses)"));
    }

    private Caller call(String host) {
        Caller caller = new Caller();
        newcomers.add(caller, new InetSocketAddress(host, 4711));
        return caller;
    }
}
