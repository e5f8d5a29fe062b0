package org.rankunit.cli;

import java.util.List;
import java.util.Optional;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** Algorithms of a user, each with a mistake. */
final class Misbehaving {

    private Misbehaving() {}

    /** Has no links. */
    private abstract static class Local implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.BROADCAST;
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return Resources.onMainStream(List.of());
        }

        @Override
        public void orchestrate(Orchestration self) {}
    }

    /** Sends nothing at all, and copies half of the root's input. */
    public static final class Forgetful extends Local {

        @Override
        public void orchestrate(Orchestration self) {
            if (self.rank() == self.call().root()) {
                self.main()
                        .copy(
                                self.input().part(self.call().part(0, 2)),
                                self.output().part(self.call().part(0, 2)));
            }
        }
    }

    /** Knows in whose process it is: each rank asks for the tasks of all ranks, and then for its own again. */
    private abstract static class InOneProcess extends Local {

        private final int rank;
        private int asked;

        InOneProcess(int rank) {
            this.rank = rank;
        }

        @Override
        public final synchronized void orchestrate(Orchestration self) {
            if (self.rank() == rank && ++asked > 1) {
                misbehave();
            }
        }

        abstract void misbehave();
    }

    /** Ends the process of rank 1. */
    public static final class Deadly extends InOneProcess {

        public Deadly() {
            super(1);
        }

        @Override
        void misbehave() {
            Runtime.getRuntime().halt(7);
        }
    }

    /** Fails on rank 2. */
    public static final class Broken extends InOneProcess {

        public Broken() {
            super(2);
        }

        @Override
        void misbehave() {
            throw new IllegalStateException("rank 2 cannot");
        }
    }

    /** Applies to nothing that a test asks for. */
    public static final class OnlyForTwo extends Local {

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return call.ranks() == 2 ? Optional.empty() : Optional.of("needs two ranks");
        }
    }
}
