package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/** What a statistic has to be. */
@API(status = INTERNAL, since = "0.1")
public record Bound(Statistic statistic, Relation relation, double limit) {

    /** How the statistic has to compare with the limit. */
    public enum Relation {
        BELOW("below"),
        AT_MOST("at most"),
        AT_LEAST("at least");

        private final String text;

        Relation(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** NaN satisfies no bound. */
    public boolean holds(double value) {
        return switch (relation) {
            case BELOW -> value < limit;
            case AT_MOST -> value <= limit;
            case AT_LEAST -> value >= limit;
        };
    }
}
