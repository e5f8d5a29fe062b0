package org.rankunit.collective.algorithms.staged;

import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

/**
 * How a call is divided into chunks that fit in the CCL buffers. If there are several, each has one half of the buffers, and the next
 * one the other half.
 *
 * @param largest elements of each chunk but the last one; 0 if not even one element fits
 * @param number of chunks
 * @param halves whether each chunk has half of the buffers
 */
record Chunks(CollectiveCall call, long largest, long number, boolean halves) {

    static Chunks of(CollectiveCall call) {
        long bytes = bytesOfOneElement(call);
        long whole = call.cclBytes() / bytes;
        long half = call.cclBytes() / 2 / bytes;
        boolean halves = call.count() > whole && half > 0;
        long largest = halves ? half : whole;
        long number = call.count() == 0 || largest == 0 ? 1 : (call.count() + largest - 1) / largest;
        return new Chunks(call, largest, number, halves);
    }

    /** What the larger one of both buffers holds for one element. */
    static long bytesOfOneElement(CollectiveCall call) {
        return (haveParts(call) ? (long) call.ranks() : 1L) * call.elementBytes();
    }

    /** Whether the input or the output has a part for each rank. */
    private static boolean haveParts(CollectiveCall call) {
        return areInParts(BufferKind.INPUT, call) || areInParts(BufferKind.OUTPUT, call);
    }

    /** Whether a buffer has a part for each rank, of which each chunk has a part. */
    static boolean areInParts(BufferKind buffer, CollectiveCall call) {
        return switch (call.collective()) {
            case REDUCE_SCATTER, SCATTER -> buffer == BufferKind.INPUT;
            case ALL_GATHER, GATHER -> buffer == BufferKind.OUTPUT;
            case ALL_TO_ALL -> true;
            default -> false;
        };
    }

    /** The call of the other algorithm for a chunk. */
    CollectiveCall call(long chunk) {
        long count = Math.min(largest, call.count() - chunk * largest);
        return call.withCount(count).withInPlace(false).withMemory(MemoryMode.WINDOWS, call.cclBytes());
    }

    /** The first byte of a chunk in both CCL buffers. */
    long offset(long chunk) {
        return halves ? chunk % 2 * largest * bytesOfOneElement(call) : 0;
    }

    /** Bytes of each part of the caller's buffers that chunks before this one have done. */
    long done(long chunk) {
        return chunk * largest * call.elementBytes();
    }
}
