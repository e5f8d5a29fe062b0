package org.rankunit.comm.jna;

/** The functions of {@code bind_compare.h}, mapped by {@link BindFunctions}. Addresses are those of direct buffers. */
final class CompareFunctions {

    private CompareFunctions() {}

    static native void compare_measure(
            int type,
            long expected,
            long actual,
            long count,
            double[] limits,
            long allowed,
            double[] extremesOut,
            long[] countsOut,
            int[] indicesOut,
            long capacity,
            double[] powers,
            long powerCount,
            long[] decadesOut,
            double[] largestOut,
            long parts);

    static native long compare_list(
            int type,
            long expected,
            long actual,
            long count,
            double[] limits,
            long from,
            int[] indicesOut,
            long capacity);

    static native void compare_specials(int type, long expected, long actual, long count, long[] countsOut);

    static native int compare_expects(
            int type, long expected, long count, long from, long to, double number, double reach);

    static native int compare_explains(
            int type, long expected, long actual, long count, double[] limits, double factor, double offset);
}
