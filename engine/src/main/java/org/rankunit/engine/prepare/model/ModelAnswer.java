package org.rankunit.engine.prepare.model;

/** What became of a {@link ModelRequest}. */
public sealed interface ModelAnswer {

    /** Whether threads of the model still run, so that this JVM is of no further use. */
    boolean stillRuns();

    /** The files are there. */
    record Computed(ModelResult result, boolean stillRuns) implements ModelAnswer {}

    /**
     * There are no goldens.
     *
     * @param message says where, what and what to do
     */
    record Refused(String message, boolean stillRuns) implements ModelAnswer {}

    /**
     * The JVM ends before the model has.
     *
     * @param place who ended it, {@code " at org.example.Model.compute(Model.java:12)"}; empty if nothing in this JVM did
     */
    record Exits(String place) implements ModelAnswer {

        @Override
        public boolean stillRuns() {
            return true;
        }
    }
}
