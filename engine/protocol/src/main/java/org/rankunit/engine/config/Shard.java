package org.rankunit.engine.config;

/** One of several runs that share the classes of a suite. */
public record Shard(int number, int count) {

    /** Returns the shard in the form of the configuration key: {@code 2/5} is the second of five. */
    @Override
    public String toString() {
        return number + "/" + count;
    }
}
