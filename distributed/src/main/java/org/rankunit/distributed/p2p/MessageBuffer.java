package org.rankunit.distributed.p2p;

import java.nio.ByteBuffer;
import org.rankunit.DType;
import org.rankunit.device.Stream;

/** The memory that a message is copied from, or to. */
sealed interface MessageBuffer {

    DType type();

    /** The number of elements. */
    long count();

    /** Put a copy of some of the bytes to device memory on a stream. */
    void copyTo(long target, Stream stream, long offset, int bytes);

    /** Put a copy from device memory to some of the bytes on a stream. */
    void copyFrom(long source, Stream stream, long offset, int bytes);

    default long bytes() {
        return count() * type().byteSize();
    }

    /** What the message has, for people: {@code 4 float32}. */
    default String text() {
        return count() + " " + type();
    }

    /** Memory of this rank's device. */
    record OnDevice(DType type, long count, long address) implements MessageBuffer {

        @Override
        public void copyTo(long target, Stream stream, long offset, int bytes) {
            stream.copy(target, address + offset, bytes);
        }

        @Override
        public void copyFrom(long source, Stream stream, long offset, int bytes) {
            stream.copy(address + offset, source, bytes);
        }
    }

    /**
     * Memory of the host.
     *
     * @param buffer a direct one, all of which is the message
     */
    record OnHost(ByteBuffer buffer) implements MessageBuffer {

        @Override
        public DType type() {
            return DType.UINT8;
        }

        @Override
        public long count() {
            return buffer.capacity();
        }

        @Override
        public void copyTo(long target, Stream stream, long offset, int bytes) {
            stream.copyIn(target, buffer.slice((int) offset, bytes));
        }

        @Override
        public void copyFrom(long source, Stream stream, long offset, int bytes) {
            stream.copyOut(buffer.slice((int) offset, bytes), source);
        }
    }
}
