package org.rankunit.engine.config;

/** One of several runs that share the classes of a suite. */
public record Shard(int number, int count) {

    /** As it is configured: {@code 2/5} is the second of five. */
    @Override
    public String toString() {
        return number + "/" + count;
    }
}
