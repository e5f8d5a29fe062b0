package org.rankunit.engine.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.protocol.DeviceRef;

/** The exact lines, for a console and for a terminal that is not there. */
@Tag("unit")
class StatusLinesTest {

    private static final String GROUP = "RingTest [4 ranks, a2a3sim]";
    private static final String E = "\u001b";

    private final List<String> console = new ArrayList<>();

    private static GroupStatus running(long key, long seconds, OptionalLong usual, List<Integer> ended) {
        return new GroupStatus(
                key,
                GROUP,
                GroupStatus.Stage.RUN,
                "RingTest.sums",
                4,
                devices(4, 5, 6, 7),
                ended,
                TimeUnit.SECONDS.toNanos(seconds),
                usual,
                OptionalLong.of(TimeUnit.SECONDS.toNanos(5)));
    }

    private static GroupStatus at(GroupStatus.Stage stage, String what, List<DeviceRef> devices, long seconds) {
        return new GroupStatus(
                9,
                GROUP,
                stage,
                what,
                4,
                devices,
                List.of(),
                TimeUnit.SECONDS.toNanos(seconds),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private static List<DeviceRef> devices(int... ids) {
        return Arrays.stream(ids).mapToObj(DeviceRef::here).toList();
    }

    private static OptionalLong seconds(long seconds) {
        return OptionalLong.of(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void eachStageHasItsWords() {
        assertThat(List.of(
                        at(GroupStatus.Stage.TURN, "", List.of(), 3),
                        at(GroupStatus.Stage.DEVICES, "", List.of(), 0),
                        at(GroupStatus.Stage.DEVICES, "waiting 4 s for 4 devices", List.of(), 4),
                        at(GroupStatus.Stage.START, "", devices(1), 75),
                        running(1, 3, seconds(2), List.of(0, 1, 3)),
                        running(1, 3, OptionalLong.empty(), List.of()),
                        running(1, 3, OptionalLong.of(999_999_999), List.of())))
                .extracting(StatusText::line)
                .containsExactly(
                        GROUP + " waits for its turn, 3 s",
                        GROUP + " needs devices, 0 s",
                        GROUP + ": waiting 4 s for 4 devices",
                        GROUP + " on device 1: ranks come up, 1 min 15 s",
                        GROUP + " on devices 4-7: RingTest.sums, 3 s, usually 2 s; ranks 0-1, 3 wait for rank 2;"
                                + " about 5 s left",
                        GROUP + " on devices 4-7: RingTest.sums, 3 s; about 5 s left",
                        GROUP + " on devices 4-7: RingTest.sums, 3 s; about 5 s left");
    }

    @Test
    void aTestTwiceItsUsualTimeIsToldOfAndAgainWhenTheTimeHasDoubled() {
        PlainLines lines = new PlainLines(console::add);
        for (int second = 1; second <= 100; second++) {
            lines.show(List.of(running(1, second, seconds(6), List.of(0, 1, 2))));
        }

        String begin = "rankunit: " + GROUP + " on devices 4-7: RingTest.sums has run for ";
        String end = ", usually 6 s; ranks 0-2 wait for rank 3";
        assertThat(console)
                .containsExactly(
                        begin + "12 s" + end, begin + "24 s" + end, begin + "48 s" + end, begin + "1 min 36 s" + end);
    }

    @Test
    void shortTestsAndWaitsForDevicesAddNothingAndTheUnknownHasAMinute() {
        PlainLines lines = new PlainLines(console::add);
        lines.show(List.of(
                running(1, 9, seconds(1), List.of()),
                running(2, 59, OptionalLong.empty(), List.of()),
                at(GroupStatus.Stage.START, "", devices(1), 29),
                at(GroupStatus.Stage.DEVICES, "", List.of(), 1000)));
        assertThat(console).isEmpty();

        lines.show(List.of(
                running(2, 60, OptionalLong.empty(), List.of()), at(GroupStatus.Stage.START, "", devices(1), 30)));
        assertThat(console)
                .containsExactly(
                        "rankunit: " + GROUP + " on devices 4-7: RingTest.sums has run for 1 min 0 s",
                        "rankunit: " + GROUP + " on device 1: its ranks have been coming up for 30 s");
    }

    @Test
    void aRunPrintsABoundedNumberOfLines() {
        PlainLines lines = new PlainLines(console::add);
        for (int test = 0; test < 1000; test++) {
            lines.show(List.of(running(test, 100, seconds(1), List.of())));
        }

        assertThat(console).hasSize(PlainLines.MAX + 1);
        assertThat(console.get(PlainLines.MAX)).isEqualTo("rankunit: no further slow tests are reported in this run");
    }

    /** Keeps what is written, and has the size that a test gives it. */
    private static final class FakeScreen implements Screen {

        private final List<String> written = new ArrayList<>();
        private Optional<Size> size = Optional.of(new Size(24, 60));
        private boolean closed;

        @Override
        public Optional<Size> size() {
            return size;
        }

        @Override
        public void write(String text) {
            written.add(text);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void rowsAreTakenOutOfTheScrollingRegionAndGivenBack() {
        FakeScreen screen = new FakeScreen();
        LiveLines lines = new LiveLines(screen, 2);
        lines.show(List.of(at(GroupStatus.Stage.TURN, "", List.of(), 3)));
        lines.show(List.of(at(GroupStatus.Stage.TURN, "", List.of(), 3)));
        lines.close();

        assertThat(screen.written)
                .containsExactly(
                        "\n\n" + E + "7" + E + "[1;22r" + E + "8" + E + "[2A",
                        E + "7" + E + "[23;1H" + E + "[2K" + GROUP + " waits for its turn, 3 s" + E + "[24;1H" + E
                                + "[2K" + E + "8",
                        E + "7" + E + "[r" + E + "[23;1H" + E + "[2K" + E + "[24;1H" + E + "[2K" + E + "8");
        assertThat(screen.closed).isTrue();
    }

    @Test
    void aLineFitsAndCannotMoveTheCursorAndGroupsWithoutARowAreCounted() {
        FakeScreen screen = new FakeScreen();
        LiveLines lines = new LiveLines(screen, 2);
        GroupStatus hostile = at(GroupStatus.Stage.DEVICES, "a" + E + "[2J\n" + "x".repeat(80), List.of(), 0);
        lines.show(List.of(hostile, hostile, hostile));

        assertThat(screen.written.get(1))
                .isEqualTo(E + "7" + E + "[23;1H" + E + "[2K" + (GROUP + ": a?[2J?" + "x".repeat(80)).substring(0, 56)
                        + "..." + E + "[24;1H" + E + "[2Kand 2 more groups" + E + "8");
    }

    @Test
    void nothingIsDrawnOnATerminalThatIsTooLow() {
        FakeScreen screen = new FakeScreen();
        screen.size = Optional.of(new Screen.Size(5, 80));
        LiveLines lines = new LiveLines(screen, 2);
        lines.show(List.of(at(GroupStatus.Stage.TURN, "", List.of(), 3)));
        lines.close();

        assertThat(screen.written).isEmpty();
    }

    @Test
    void autoDrawsOnATerminalAndNotOnCi() {
        assertThat(view(Settings.Progress.AUTO, Map.of(), true)).containsInstanceOf(LiveLines.class);
        assertThat(view(Settings.Progress.AUTO, Map.of("CI", "true"), true)).containsInstanceOf(PlainLines.class);
        assertThat(view(Settings.Progress.AUTO, Map.of(), false)).containsInstanceOf(PlainLines.class);
        assertThat(view(Settings.Progress.PLAIN, Map.of(), true)).containsInstanceOf(PlainLines.class);
        assertThat(view(Settings.Progress.OFF, Map.of(), true)).isEmpty();
        assertThat(console).isEmpty();

        assertThat(view(Settings.Progress.LIVE, Map.of("CI", "true"), false)).containsInstanceOf(PlainLines.class);
        assertThat(console)
                .singleElement()
                .asString()
                .startsWith("rankunit: rankunit.progress = \"live\": the build does not print to a terminal");
    }

    private Optional<View> view(Settings.Progress progress, Map<String, String> environment, boolean terminal) {
        return Views.of(
                progress,
                environment,
                () -> terminal ? Optional.of(new FakeScreen()) : Optional.empty(),
                3,
                console::add);
    }
}
