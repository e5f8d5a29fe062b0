package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/** Streams that can go on, or other numbered things that happen, by time; of equal times, the one that came first. A binary heap. */
@API(status = INTERNAL, since = "0.1")
public final class ReadyStreams {

    private int size;
    private long arrivals;
    private double[] times = new double[64];
    private long[] orders = new long[64];
    private int[] streams = new int[64];

    public boolean isEmpty() {
        return size == 0;
    }

    public void add(double time, int stream) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            streams = Arrays.copyOf(streams, 2 * size);
        }
        int at = size++;
        long order = arrivals++;
        while (at > 0) {
            int parent = (at - 1) / 2;
            if (isBefore(times[parent], orders[parent], time, order)) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        put(at, time, order, stream);
    }

    public double firstTime() {
        return times[0];
    }

    /** Remove the first one. */
    public int remove() {
        int first = streams[0];
        size--;
        double time = times[size];
        long order = orders[size];
        int stream = streams[size];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && isBefore(times[child + 1], orders[child + 1], times[child], orders[child])) {
                child++;
            }
            if (isBefore(time, order, times[child], orders[child])) {
                break;
            }
            move(child, at);
            at = child;
        }
        put(at, time, order, stream);
        return first;
    }

    private static boolean isBefore(double time, long order, double otherTime, long otherOrder) {
        return time < otherTime || (time == otherTime && order < otherOrder);
    }

    private void move(int from, int to) {
        put(to, times[from], orders[from], streams[from]);
    }

    private void put(int at, double time, long order, int stream) {
        times[at] = time;
        orders[at] = order;
        streams[at] = stream;
    }
}
