package org.rankunit.engine.protocol;

/**
 * The phases of one distributed run, in their usual order. A phase that does not happen for a test is not reported for it.
 *
 * <p>{@link #BARRIER} comes twice: before and after the run.
 */
public enum Phase {

    /** The tests of a group wait while the parent has golden models computed; no device is held meanwhile. */
    GOLDENS("golden models"),

    /** The parent compiles kernels and orchestration functions, or finds them in its cache; no device is held meanwhile. */
    COMPILE("compile"),

    /** The rank loads inputs that a golden model or files give. A test that makes its own does so as a part of {@link #RUN}. */
    PREPARE_DATA("prepare data"),

    /** The rank opens its device, brings up the communicator with its windows, and fills the buffers of the test with zeros. */
    BRING_UP("bring up"),

    /** The rank waits for the others: before it enters the test, and in each {@code RankContext.barrier()} of the test. */
    BARRIER("barrier"),

    /** The test and its lifecycle methods run on the rank; phases that happen meanwhile are not counted again. */
    RUN("run"),

    /** The rank copies buffers of the test from its device. */
    COLLECT_OUTPUTS("collect outputs"),

    /** The rank compares outputs with goldens. */
    VERIFY("verify"),

    /** The parent ends the ranks: each closes communicator and device, and its process ends. */
    TEAR_DOWN("tear down");

    private final String text;

    Phase(String text) {
        this.text = text;
    }

    /** Its name in reports and messages. */
    public String text() {
        return text;
    }

    /** How long a phase took on one rank. */
    public record Time(Phase phase, long nanos) {}

    /** From when until when a part of a phase lasted, by {@link System#nanoTime()}, which the processes of a machine share. */
    public record Span(Phase phase, long beginNanos, long endNanos) {}
}
