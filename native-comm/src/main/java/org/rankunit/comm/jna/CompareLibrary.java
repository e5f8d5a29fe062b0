package org.rankunit.comm.jna;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.load.NativeLibraryException;

/**
 * The native functions that compare two arrays in direct buffers; {@code compare/measure.h} says what they compute.
 *
 * @param type the type of the elements, as in {@code measure.h}
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public record CompareLibrary(int type, int count) {

    private static final Optional<NativeLibraryException> UNAVAILABLE = load();

    private static Optional<NativeLibraryException> load() {
        try {
            BindFunctions.load();
            return Optional.empty();
        } catch (NativeLibraryException e) {
            return Optional.of(e);
        }
    }

    /** Whether this machine has the functions; loads them at the first call. */
    public static boolean isAvailable() {
        return UNAVAILABLE.isEmpty();
    }

    public void measure(
            ByteBuffer expected,
            ByteBuffer actual,
            double[] limits,
            int allowed,
            double[] extremesOut,
            long[] countsOut,
            int[] indicesOut,
            double[] powers,
            long[] decadesOut,
            double[] largestOut) {
        try {
            CompareFunctions.compare_measure(
                    type,
                    addressOf(expected),
                    addressOf(actual),
                    count,
                    limits,
                    allowed,
                    extremesOut,
                    countsOut,
                    indicesOut,
                    indicesOut.length,
                    powers,
                    powers.length,
                    decadesOut,
                    largestOut,
                    largestOut.length);
        } finally {
            Reference.reachabilityFence(expected);
            Reference.reachabilityFence(actual);
        }
    }

    /** Returns how many indices it has stored. */
    public int list(ByteBuffer expected, ByteBuffer actual, double[] limits, int from, int[] indicesOut) {
        try {
            return (int) CompareFunctions.compare_list(
                    type, addressOf(expected), addressOf(actual), count, limits, from, indicesOut, indicesOut.length);
        } finally {
            Reference.reachabilityFence(expected);
            Reference.reachabilityFence(actual);
        }
    }

    public void specials(ByteBuffer expected, ByteBuffer actual, long[] countsOut) {
        try {
            CompareFunctions.compare_specials(type, addressOf(expected), addressOf(actual), count, countsOut);
        } finally {
            Reference.reachabilityFence(expected);
            Reference.reachabilityFence(actual);
        }
    }

    public boolean expects(ByteBuffer expected, int from, int to, double number, double reach) {
        try {
            return CompareFunctions.compare_expects(type, addressOf(expected), count, from, to, number, reach) != 0;
        } finally {
            Reference.reachabilityFence(expected);
        }
    }

    public boolean explains(ByteBuffer expected, ByteBuffer actual, double[] limits, double factor, double offset) {
        try {
            return CompareFunctions.compare_explains(
                            type, addressOf(expected), addressOf(actual), count, limits, factor, offset)
                    != 0;
        } finally {
            Reference.reachabilityFence(expected);
            Reference.reachabilityFence(actual);
        }
    }

    private static long addressOf(ByteBuffer direct) {
        return DeviceLibrary.addressOf(direct);
    }
}
