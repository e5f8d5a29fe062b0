package org.rankunit.engine.check.bytes;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.check.bytes.Pieces.Bytes;

/** Pieces and sets of bytes, against sets of single bytes. */
@Tag("unit")
class PiecesTest {

    private static final int PROGRAMS = 20_000;

    private static Pieces random(Random random) {
        long bytes = 1L + random.nextInt(6);
        long count = random.nextInt(3) == 0 ? 1 : 2L + random.nextInt(9);
        return new Pieces(random.nextInt(60), bytes, count == 1 ? 0 : bytes + 1L + random.nextInt(12), count);
    }

    private static NavigableSet<Long> bytes(Pieces pieces) {
        NavigableSet<Long> all = new TreeSet<>();
        for (long i = 0; i < pieces.count(); i++) {
            for (long at = pieces.piece(i).begin(); at < pieces.piece(i).end(); at++) {
                all.add(at);
            }
        }
        return all;
    }

    @Test
    void whatTwoHaveInCommonIsFoundIfThereIsSomething() {
        Random random = new Random(1);
        int met = 0;
        for (int i = 0; i < PROGRAMS; i++) {
            Pieces a = random(random);
            Pieces b = random(random);
            NavigableSet<Long> common = bytes(a);
            common.retainAll(bytes(b));

            Bytes found = a.firstIn(b);

            if (common.isEmpty()) {
                assertThat(found).as("%s in %s", a, b).isNull();
            } else {
                met++;
                for (long at = requireNonNull(found).begin(); at < found.end(); at++) {
                    assertThat(common).as("%s in %s", a, b).contains(at);
                }
            }
        }
        assertThat(met).isBetween(PROGRAMS / 4, PROGRAMS * 3 / 4);
    }

    @Test
    void longSeriesAreComparedWithoutLookingAtEachPiece() {
        Pieces even = new Pieces(0, 4, 8, 1L << 40);
        Pieces odd = new Pieces(4, 4, 8, 1L << 40);
        Pieces third = new Pieces(4, 4, 24, 1L << 40);
        assertThat(even.firstIn(odd)).isNull();
        assertThat(even.firstIn(third)).isNull();
        assertThat(odd.firstIn(third)).isEqualTo(new Bytes(4, 8));
        assertThat(odd.firstIn(Pieces.one(8L << 39, 6))).isEqualTo(new Bytes((8L << 39) + 4, (8L << 39) + 6));
    }

    @Test
    void aSetOfBytesHasWhatWasAddedToIt() {
        Random random = new Random(2);
        for (int i = 0; i < PROGRAMS; i++) {
            List<Pieces> added = List.of(random(random), random(random), random(random), Pieces.one(30, 40));
            Pieces asked = random(random);
            NavigableSet<Long> missing = bytes(asked);
            missing.removeIf(at -> at < 20 || at >= 100);
            List<Pieces> all = new ArrayList<>(added);
            all.add(asked);
            ByteSet set = ByteSet.of(20, 100, all);
            for (Pieces each : added) {
                set.add(each);
                missing.removeAll(bytes(each));
            }

            Bytes found = set.firstMissing(asked);

            if (missing.isEmpty()) {
                assertThat(found).as("%s in %s", asked, added).isNull();
            } else {
                assertThat(requireNonNull(found).begin()).isEqualTo(missing.first());
                assertThat(missing).contains(found.end() - 1);
            }
        }
    }
}
