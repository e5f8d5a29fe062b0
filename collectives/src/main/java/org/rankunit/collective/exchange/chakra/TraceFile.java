package org.rankunit.collective.exchange.chakra;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads the messages of a file: each follows its length. The first one is {@code GlobalMetadata}, the others are nodes. */
final class TraceFile {

    private static final int VERSION = 1;
    private static final int MAX_LENGTH_BYTES = 5;
    private static final int VARINT_BITS = 7;
    private static final long LARGEST_MESSAGE = 64L << 20;

    private final Path file;
    private final InputStream in;
    private final long size;
    private long offset;
    /** Where the current message begins, with its length. */
    private long messageBegin;

    private TraceFile(Path file, InputStream in) throws IOException {
        this.file = file;
        this.in = in;
        this.size = Files.size(file);
    }

    static void read(Path file, Consumer<TraceNode> nodes) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            new TraceFile(file, in).read(nodes);
        }
    }

    private void read(Consumer<TraceNode> nodes) throws IOException {
        if (size == 0) {
            throw ChakraFormatException.at(file, 0, "the file is empty. Was it written completely?");
        }
        metadata(message());
        while (offset < size) {
            WireFields fields = message();
            nodes.accept(TraceNode.of(fields, messageBegin));
        }
    }

    private static void metadata(WireFields fields) {
        while (fields.next()) {
            if (fields.field() == VERSION && fields.wireType() == WireFields.VARINT) {
                throw fields.error("the file begins with a node, not with GlobalMetadata");
            }
            if (fields.field() == VERSION) {
                fields.text("version");
            } else {
                fields.skip();
            }
        }
    }

    private WireFields message() throws IOException {
        messageBegin = offset;
        long length = length();
        if (length > size - offset) {
            throw ChakraFormatException.at(
                    file,
                    messageBegin,
                    "a message of " + length + " bytes, but the file ends after " + (size - offset)
                            + ". Was it written completely?");
        }
        if (length > LARGEST_MESSAGE) {
            throw ChakraFormatException.at(
                    file, messageBegin, "a message of " + length + " bytes; RankUnit takes up to " + LARGEST_MESSAGE);
        }
        byte[] bytes = in.readNBytes((int) length);
        if (bytes.length < length) {
            throw ChakraFormatException.at(file, messageBegin, "the file has become shorter while it was read");
        }
        long base = offset;
        offset += length;
        return new WireFields(file, ByteBuffer.wrap(bytes), base);
    }

    private long length() throws IOException {
        long length = 0;
        for (int i = 0; i < MAX_LENGTH_BYTES; i++) {
            int next = in.read();
            if (next < 0) {
                throw ChakraFormatException.at(
                        file, messageBegin, "the file ends inside the length of a message. Was it written completely?");
            }
            offset++;
            length |= (long) (next & ((1 << VARINT_BITS) - 1)) << (VARINT_BITS * i);
            if (next < 1 << VARINT_BITS) {
                return length;
            }
        }
        throw ChakraFormatException.at(
                file,
                messageBegin,
                "the length of a message has more than " + MAX_LENGTH_BYTES
                        + " bytes. Is this an execution trace, and not compressed?");
    }
}
