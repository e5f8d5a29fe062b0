package org.rankunit.engine.lockstep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.FromRank;

/** How far one rank has come in a run of tests. */
final class RankProgress {

    private RankState state = RankState.STARTING;

    /** The test it has asked to enter; {@code null} unless it is {@link RankState#WAITING}. */
    private @Nullable String waitsFor;

    /** Tests it has entered and not ended; more than one inside a test factory, which encloses its dynamic tests. */
    private final Set<String> inside = new LinkedHashSet<>();

    /** When it last began or ended something, as the parent's {@link System#nanoTime()}. */
    private long cameThere = System.nanoTime();

    /** What it was running according to its last answer to the parent; {@code null} once it has moved on. */
    private FromRank.@Nullable Whereabouts whereabouts;

    /** How its channel ended, once it is {@link RankState#HUNG_UP}. */
    private String hungUp = "";

    /** The only method that changes the state. */
    private void move(RankState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a rank cannot go from " + state + " to " + next);
        }
        state = next;
        if (next != RankState.WAITING) {
            waitsFor = null;
        }
    }

    /** Jupiter has discovered the tests there and runs them. */
    void begin() {
        if (state == RankState.STARTING) {
            move(RankState.RUNNING);
        }
    }

    /** It asks to enter a test. */
    void ask(String test) {
        noteTime();
        move(RankState.WAITING);
        waitsFor = test;
    }

    /** Answer its request; returns the test that it asked for. */
    String answer(boolean enters) {
        String test = waitsFor;
        if (test == null) {
            throw new IllegalStateException("a rank is answered that has asked for nothing");
        }
        move(RankState.RUNNING);
        if (enters) {
            inside.add(test);
        }
        noteTime();
        return test;
    }

    /** A test or container ended on this rank. */
    void end(String uniqueId) {
        inside.remove(uniqueId);
        noteTime();
    }

    /** Its channel has ended; {@code why} is a clause. */
    void hangUp(String why) {
        move(RankState.HUNG_UP);
        hungUp = why;
    }

    /** Nothing more is expected of it. */
    void finish() {
        move(RankState.FINISHED);
    }

    /** Clear the set of tests it was inside of, and return them innermost first. */
    List<String> leaveAll() {
        List<String> left = new ArrayList<>(inside);
        inside.clear();
        Collections.reverse(left);
        return left;
    }

    /** Record what it says it is running. */
    void isAt(FromRank.Whereabouts place) {
        whereabouts = place;
    }

    private void noteTime() {
        cameThere = System.nanoTime();
        whereabouts = null;
    }

    boolean isFinished() {
        return state == RankState.FINISHED;
    }

    boolean hasHungUp() {
        return state == RankState.HUNG_UP;
    }

    /** How its channel ended, as a clause. */
    String howItHungUp() {
        return hungUp;
    }

    boolean hasBegun() {
        return state != RankState.STARTING;
    }

    /** The test it has asked to enter and waits for; {@code null} for none. */
    @Nullable String waitsFor() {
        return waitsFor;
    }

    boolean isInside(String test) {
        return inside.contains(test);
    }

    boolean isOutsideOfTests() {
        return inside.isEmpty();
    }

    /** When it last began or ended something, as the parent's {@link System#nanoTime()}. */
    long cameThere() {
        return cameThere;
    }

    /** What it is doing instead of running user code; empty if there is nothing to report. */
    String doing() {
        return whereabouts == null ? "" : whereabouts.doing();
    }

    /** Where it says it is outside of the tests it has entered; empty if it did not say. */
    String place() {
        return waitsFor != null ? waitsFor : whereabouts == null ? "" : whereabouts.uniqueId();
    }
}
