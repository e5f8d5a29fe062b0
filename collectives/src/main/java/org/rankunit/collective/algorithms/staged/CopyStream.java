package org.rankunit.collective.algorithms.staged;

import org.rankunit.collective.LocalNotify;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Copies the chunks of one of the caller's buffers to CCL_In, or from CCL_Out: on the main stream, or on a sub stream beside it while
 * other chunks are exchanged. Then it has notifies for each half of the CCL buffer.
 */
final class CopyStream {

    /** Two that say that a half may be copied, and two that say that it was. */
    static final int NOTIFIES = 4;

    private final Orchestration self;
    private final Chunks chunks;
    private final BufferKind buffer;
    private final int stream;
    private final int firstNotify;

    /**
     * @param buffer input or output
     * @param stream the sub stream
     * @param firstNotify of {@link #NOTIFIES}
     */
    CopyStream(Orchestration self, Chunks chunks, BufferKind buffer, int stream, int firstNotify) {
        this.self = self;
        this.chunks = chunks;
        this.buffer = buffer;
        this.stream = stream;
        this.firstNotify = firstNotify;
    }

    /** Whether a rank has anything to copy. */
    static boolean isNeeded(CollectiveCall call, BufferKind buffer, int rank) {
        return (buffer == BufferKind.INPUT ? call.inputBytes(rank) : call.outputBytes(rank)) > 0;
    }

    /** Queue the copies of all chunks on the sub stream. */
    void copyAll() {
        TaskStream sub = self.sub(stream);
        for (long chunk = 0; chunk < chunks.number(); chunk++) {
            sub.waitFor(mayCopy(chunk));
            copy(sub, chunk);
            sub.post(copied(chunk));
        }
    }

    /** Queue the copy of a chunk. */
    void copy(TaskStream on, long chunk) {
        CollectiveCall call = chunks.call(chunk);
        boolean in = buffer == BufferKind.INPUT;
        long size = in ? call.inputBytes(self.rank()) : call.outputBytes(self.rank());
        Region whole = self.buffer(buffer);
        Region staged = self.buffer(in ? BufferKind.CCL_IN : BufferKind.CCL_OUT).part(chunks.offset(chunk), size);
        int parts = Chunks.areInParts(buffer, call) ? call.ranks() : 1;
        long bytes = size / parts;
        long stride = whole.bytes() / parts;
        for (int part = 0; part < parts; part++) {
            Region theirs = whole.part(part * stride + chunks.done(chunk), bytes);
            Region ours = staged.part(part * bytes, bytes);
            on.copy(in ? theirs : ours, in ? ours : theirs);
        }
    }

    /** On the main stream: both halves are free, and the caller's input is ready. */
    void start() {
        if (buffer == BufferKind.INPUT) {
            self.main().post(mayCopy(0));
            self.main().post(mayCopy(1));
        }
    }

    /** On the main stream: wait until a half that this stream uses may be used for a chunk. */
    void awaitHalf(long chunk) {
        if (buffer == BufferKind.INPUT) {
            self.main().waitFor(copied(chunk));
        } else if (chunk >= 2) {
            self.main().waitFor(copied(chunk - 2));
        }
    }

    /** On the main stream: the other algorithm has done a chunk. */
    void releaseHalf(long chunk) {
        if (buffer == BufferKind.OUTPUT) {
            self.main().post(mayCopy(chunk));
        } else if (chunk + 2 < chunks.number()) {
            self.main().post(mayCopy(chunk + 2));
        }
    }

    /** On the main stream: wait until this stream has copied everything. */
    void join() {
        if (buffer == BufferKind.OUTPUT) {
            self.main().waitFor(copied(chunks.number() - 2));
            self.main().waitFor(copied(chunks.number() - 1));
        }
    }

    private LocalNotify copied(long chunk) {
        return self.notify(firstNotify + (int) (chunk % 2));
    }

    private LocalNotify mayCopy(long chunk) {
        return self.notify(firstNotify + 2 + (int) (chunk % 2));
    }
}
