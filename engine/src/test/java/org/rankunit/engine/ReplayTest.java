package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;

@Tag("unit")
class ReplayTest {

    private final List<String> told = new ArrayList<>();
    private final TestDescriptor test = new EngineDescriptor(UniqueId.forEngine("x"), "x");

    private final EngineExecutionListener target = new EngineExecutionListener() {
        @Override
        public void executionStarted(TestDescriptor started) {
            told.add("started " + started.getDisplayName());
        }

        @Override
        public void executionSkipped(TestDescriptor skipped, String reason) {
            throw new OutOfMemoryError("stop");
        }

        @Override
        public void executionFinished(TestDescriptor finished, TestExecutionResult result) {
            told.add(result.getStatus() + " " + finished.getDisplayName());
        }
    };

    private final Replay replay = new Replay(target, output -> told.add("printed " + output));

    @Test
    void tellsEverythingInItsOrder() throws InterruptedException {
        replay.listener().executionStarted(test);
        replay.output(List.of("hello"));
        replay.listener().executionFinished(test, TestExecutionResult.successful());
        replay.end(null);
        assertThat(told).isEmpty();

        replay.play();

        assertThat(told).containsExactly("started x", "printed [hello]", "SUCCESSFUL x");
    }

    @Test
    void whatBrokeTheClassIsThrownAfterWhatCameBefore() {
        replay.listener().executionStarted(test);
        replay.end(new IllegalStateException("broken"));

        assertThatThrownBy(replay::play)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThat(told).containsExactly("started x");
    }

    @Test
    void whatAListenerThrowsEndsTheReplay() {
        // How Eclipse stops a run.
        replay.listener().executionSkipped(test, "");
        replay.listener().executionStarted(test);
        replay.end(null);

        assertThatThrownBy(replay::play).isInstanceOf(OutOfMemoryError.class).hasMessage("stop");
        assertThat(told).isEmpty();
    }
}
