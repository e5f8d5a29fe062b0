package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** Finds operations that depend on each other in a cycle. */
@API(status = INTERNAL, since = "0.1")
public final class Circles {

    private static final byte NEW = 0;
    private static final byte ON_PATH = 1;
    private static final byte DONE = 2;

    private Circles() {}

    /** Get the operations of one circle, each one depending on the next one, with the first one again at the end; empty if there is none. */
    public static List<Integer> find(Operations operations) {
        byte[] states = new byte[operations.size()];
        int[] path = new int[operations.size()];
        int[] next = new int[operations.size()];
        for (int start = 0; start < states.length; start++) {
            if (states[start] != NEW) {
                continue;
            }
            int depth = 0;
            path[0] = start;
            states[start] = ON_PATH;
            next[0] = operations.first(start);
            while (depth >= 0) {
                int operation = path[depth];
                if (next[depth] == operations.first(operation + 1)) {
                    states[operation] = DONE;
                    depth--;
                    continue;
                }
                int required = operations.required(next[depth]++);
                if (states[required] == ON_PATH) {
                    return circle(path, depth, required);
                }
                if (states[required] == NEW) {
                    depth++;
                    path[depth] = required;
                    states[required] = ON_PATH;
                    next[depth] = operations.first(required);
                }
            }
        }
        return List.of();
    }

    private static List<Integer> circle(int[] path, int depth, int again) {
        List<Integer> circle = new ArrayList<>();
        int at = depth;
        while (path[at] != again) {
            at--;
        }
        for (; at <= depth; at++) {
            circle.add(path[at]);
        }
        circle.add(again);
        return circle;
    }
}
