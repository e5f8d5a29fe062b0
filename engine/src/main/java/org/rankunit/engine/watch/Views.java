package org.rankunit.engine.watch;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.plan.Durations;

/** Chooses how a run is shown. */
public final class Views {

    private static final int MAX_ROWS = 6;

    private Views() {}

    /**
     * Begin to watch a run; the caller closes the watch.
     *
     * @param durations how long tests took before
     * @param groups how many groups may work at the same time
     * @param console prints a line
     */
    public static Watch watch(Settings settings, Durations durations, int groups, Consumer<String> console) {
        Map<String, String> environment = System.getenv();
        Optional<View> view = settings.isDebugging()
                ? Optional.empty()
                : of(
                        settings.progress(),
                        environment,
                        () -> BuildTerminal.take(environment, settings.progress() == Settings.Progress.LIVE),
                        groups,
                        console);
        return new Watch(durations, System::nanoTime, view).start();
    }

    static Optional<View> of(
            Settings.Progress progress,
            Map<String, String> environment,
            Supplier<Optional<Screen>> terminal,
            int groups,
            Consumer<String> console) {
        if (progress == Settings.Progress.OFF) {
            return Optional.empty();
        }
        boolean mayDraw =
                progress == Settings.Progress.LIVE || (progress == Settings.Progress.AUTO && !isCi(environment));
        Optional<Screen> screen = mayDraw ? terminal.get() : Optional.empty();
        if (screen.isPresent()) {
            return Optional.of(new LiveLines(screen.get(), Math.max(1, Math.min(groups, MAX_ROWS))));
        }
        if (progress == Settings.Progress.LIVE) {
            console.accept(
                    "rankunit: " + ConfigKey.PROGRESS.key() + " = \"live\": the build does not print to a terminal"
                            + " that can be drawn on, or another process draws on it. Lines are printed when something takes long.");
        }
        return Optional.of(new PlainLines(console));
    }

    /** The variable that most CI systems set. */
    private static boolean isCi(Map<String, String> environment) {
        String value = environment.getOrDefault("CI", "");
        return !value.isEmpty() && !value.equals("false");
    }
}
