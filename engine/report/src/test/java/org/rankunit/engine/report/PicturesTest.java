package org.rankunit.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.protocol.wire.Limits;

@Tag("unit")
class PicturesTest {

    @Test
    void theFirstPictureOfAnAlgorithmAndCallStays() {
        RunReport.Picture first = picture("Ring", "all-reduce", "first");
        RunReport.Picture otherCall = picture("Ring", "broadcast", "other call");

        assertThat(new Pictures()
                        .add(List.of(first))
                        .add(List.of(picture("Ring", "all-reduce", "second"), otherCall))
                        .all())
                .containsExactly(first, otherCall);
    }

    @Test
    void thereAreAtMostAsManyAsAReportMayHave() {
        List<RunReport.Picture> many = IntStream.range(0, 3 * Limits.PICTURES)
                .mapToObj(i -> picture("Ring", "call " + i, "svg"))
                .toList();

        assertThat(new Pictures().add(many).all()).isEqualTo(many.subList(0, Limits.PICTURES));
    }

    @Test
    void aPictureForWhichThereIsNoRoomIsLeftOutAndASmallerOneIsNot() {
        RunReport.Picture large = picture("Ring", "large", "x".repeat(Pictures.MAX_CHARS - 10));
        RunReport.Picture beyond = picture("Ring", "beyond", "x".repeat(11));
        RunReport.Picture small = picture("Ring", "small", "x".repeat(10));

        assertThat(new Pictures().add(List.of(large, beyond, small)).all()).containsExactly(large, small);
    }

    private static RunReport.Picture picture(String algorithm, String call, String svg) {
        return new RunReport.Picture(algorithm, call, svg);
    }
}
