package org.rankunit.engine.prepare.model;

/** What became of a {@link ModelRequest}. */
public sealed interface ModelAnswer {

    /** The files are there. */
    record Computed(ModelResult result) implements ModelAnswer {}

    /**
     * There are no goldens.
     *
     * @param message says where, what and what to do
     * @param stillRuns whether code of the model still runs, so that this JVM is of no further use
     */
    record Refused(String message, boolean stillRuns) implements ModelAnswer {}

    /**
     * The JVM ends before the model has.
     *
     * @param place who ended it, {@code " at org.example.Model.compute(Model.java:12)"}; empty if nobody in this JVM did
     */
    record Exits(String place) implements ModelAnswer {}
}
