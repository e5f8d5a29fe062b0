package org.rankunit.engine.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * What a rank asks of the parent's files. A connection begins with the token, and then has any number of requests, one after the
 * other. Each is answered: an empty text if it was done, else why not.
 */
public sealed interface FileRequest {

    /** The longest token; nothing longer is read from a process that is not known yet. */
    int MAX_TOKEN_BYTES = 256;

    /** Send a file. The answer is followed by its length, -1 if there is no such file, and its bytes. */
    record Read(Path file) implements FileRequest {}

    /** Say which files there are in a folder. The answer is followed by their number and their names. */
    record List(Path folder) implements FileRequest {}

    /**
     * Write a part of a file, which is created if necessary. The bytes follow.
     *
     * @param size of the whole file afterwards
     * @param offset where the part begins
     * @param count number of bytes
     */
    record Write(Path file, long size, long offset, long count) implements FileRequest {}

    /** Remove a file, if there is one. */
    record Remove(Path file) implements FileRequest {}

    /** Send a request. */
    static void send(FileRequest request, DataOutput out) throws IOException {
        if (request instanceof Read read) {
            out.writeByte('R');
            out.writeUTF(read.file().toString());
        } else if (request instanceof List list) {
            out.writeByte('L');
            out.writeUTF(list.folder().toString());
        } else if (request instanceof Write write) {
            out.writeByte('W');
            out.writeUTF(write.file().toString());
            out.writeLong(write.size());
            out.writeLong(write.offset());
            out.writeLong(write.count());
        } else if (request instanceof Remove remove) {
            out.writeByte('D');
            out.writeUTF(remove.file().toString());
        }
    }

    /**
     * Receive a request.
     *
     * @throws java.io.EOFException if the connection has ended
     * @throws IOException if what has arrived is no request
     */
    static FileRequest receive(DataInput in) throws IOException {
        byte kind = in.readByte();
        Path path = path(in.readUTF());
        return switch (kind) {
            case 'R' -> new Read(path);
            case 'L' -> new List(path);
            case 'W' -> {
                Write write = new Write(path, in.readLong(), in.readLong(), in.readLong());
                if (write.offset() < 0 || write.count() < 0 || write.offset() > write.size() - write.count()) {
                    throw new IOException("a part of " + path + " from " + write.offset() + " with " + write.count()
                            + " bytes does not lie in " + write.size() + " bytes");
                }
                yield write;
            }
            case 'D' -> new Remove(path);
            default -> throw new IOException("there is no request of the kind " + kind);
        };
    }

    private static Path path(String text) throws IOException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IOException("a request for a file with an invalid path: " + e.getReason(), e);
        }
    }
}
