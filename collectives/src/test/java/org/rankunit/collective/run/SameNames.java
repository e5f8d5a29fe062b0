package org.rankunit.collective.run;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.tree.TreeAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/** Algorithms that their names do not tell apart. */
final class SameNames {

    private SameNames() {}

    /** As another one, under the name of its own class. */
    private abstract static class As implements CollectiveAlgorithm {

        abstract CollectiveAlgorithm other();

        @Override
        public Collective collective() {
            return other().collective();
        }

        @Override
        public Optional<String> unsupportedReason(CollectiveCall call) {
            return other().unsupportedReason(call);
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return other().resources(call, rank);
        }

        @Override
        public void orchestrate(Orchestration rank) {
            other().orchestrate(rank);
        }
    }

    static final class Ring {

        private Ring() {}

        static final class Same extends As {
            @Override
            CollectiveAlgorithm other() {
                return new RingAllReduce();
            }
        }
    }

    static final class Tree {

        private Tree() {}

        static final class Same extends As {
            @Override
            CollectiveAlgorithm other() {
                return new TreeAllReduce();
            }
        }
    }

    /** Either, by a parameter; not a record, so that equal ones are not equal for Java. */
    static final class Either extends As {

        private final boolean ring;

        Either(boolean ring) {
            this.ring = ring;
        }

        @Override
        CollectiveAlgorithm other() {
            return ring ? new RingAllReduce() : new TreeAllReduce();
        }
    }

    /** Has no name at all. */
    static CollectiveAlgorithm anonymous(boolean ring) {
        return new As() {
            @Override
            CollectiveAlgorithm other() {
                return ring ? new RingAllReduce() : new TreeAllReduce();
            }
        };
    }

    /** A ring, which it queues for each rank only once. */
    static final class Moody extends As {

        private final AtomicInteger asked = new AtomicInteger();

        @Override
        CollectiveAlgorithm other() {
            return new RingAllReduce();
        }

        @Override
        public void orchestrate(Orchestration rank) {
            if (asked.getAndIncrement() < rank.call().ranks()) {
                super.orchestrate(rank);
            }
        }
    }
}
