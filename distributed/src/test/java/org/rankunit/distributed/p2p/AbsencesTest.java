package org.rankunit.distributed.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.distributed.p2p.Absences.Answer;
import org.rankunit.distributed.p2p.ControlMessage.Kind;

@Tag("unit")
class AbsencesTest {

    private static final Duration TIMEOUT = Duration.ofMillis(1500);

    private final Absences absences = new Absences(
            some -> "members " + some.stream().map(String::valueOf).collect(Collectors.joining(", ")), 6, TIMEOUT);

    private static Answer said(Kind kind) {
        return new Answer.Heard(new ControlMessage(kind, TIMEOUT));
    }

    @Test
    void nothingIsSaidIfAllHaveCome() {
        absences.add(1, said(Kind.ARRIVED));

        assertThat(absences.text(true)).isEmpty();
        assertThat(absences.isMissing(1)).isFalse();
    }

    @Test
    void everyReasonIsSaid() {
        absences.add(1, new Answer.Nothing());
        absences.add(2, said(Kind.ARRIVED));
        absences.add(3, new Answer.Closed());
        absences.add(4, new Answer.Nothing());
        absences.add(5, said(Kind.GAVE_UP));

        assertThat(absences.text(true))
                .isEqualTo(
                        "monitoredBarrier of 6 members: members 1, 4 have not come within 1500 ms; members 0, 2 have;"
                                + " members 3 has closed the group without it; members 5 has given up before members 0 came");
        assertThat(absences.text(false))
                .startsWith("monitoredBarrier of 6 members: members 1 has not come within 1500 ms; waitAllRanks = true"
                        + " names all that have not; members 3 ");
        assertThat(absences.isMissing(4)).isTrue();
        assertThat(absences.isMissing(3)).isFalse();
    }
}
