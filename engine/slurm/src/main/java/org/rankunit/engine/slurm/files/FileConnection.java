package org.rankunit.engine.slurm.files;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.rankunit.engine.protocol.FileRequest;
import org.rankunit.engine.protocol.PartOfStream;

/** The requests of one rank. Not thread-safe. */
final class FileConnection {

    private static final int BUFFER_BYTES = 1 << 16;

    /** How long a request may take to arrive from its first byte on, without the bytes of a file that follow it. */
    static final Duration HEAD_TIME = Duration.ofSeconds(60);

    private final TimedInput arriving;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final FileRoots roots;

    FileConnection(Socket socket, TimedInput arriving, FileRoots roots) throws IOException {
        this.arriving = arriving;
        this.in = new DataInputStream(new BufferedInputStream(arriving, BUFFER_BYTES));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
        this.roots = roots;
    }

    /** Whether the first text of a connection is this token. Reads no more than that, and no longer text. */
    static boolean presents(InputStream plain, String token) throws IOException {
        int length = new DataInputStream(plain).readUnsignedShort();
        return length <= FileRequest.MAX_TOKEN_BYTES
                && MessageDigest.isEqual(token.getBytes(StandardCharsets.UTF_8), plain.readNBytes(length));
    }

    /** Answer requests until the rank closes the connection. */
    void serve() throws IOException {
        while (true) {
            FileRequest request;
            try {
                request = receive();
            } catch (EOFException e) {
                return;
            }
            answer(request);
            out.flush();
        }
    }

    /** A rank asks nothing for any time, but what it has begun to ask has to arrive. */
    private FileRequest receive() throws IOException {
        in.mark(1);
        in.readByte();
        in.reset();
        arriving.takeAtMost(HEAD_TIME);
        FileRequest request = FileRequest.receive(in);
        arriving.takeAnyTime();
        return request;
    }

    private void answer(FileRequest request) throws IOException {
        if (request instanceof FileRequest.Read read) {
            read(read.file());
        } else if (request instanceof FileRequest.List list) {
            list(list.folder());
        } else if (request instanceof FileRequest.Write write) {
            write(write);
        } else if (request instanceof FileRequest.Remove remove) {
            remove(remove.file());
        }
    }

    private void read(Path file) throws IOException {
        InputStream source;
        try {
            roots.requireReadable(file);
            source = Files.isRegularFile(file) ? Files.newInputStream(file) : null;
        } catch (IOException e) {
            out.writeUTF(textOf(e));
            return;
        }
        out.writeUTF("");
        if (source == null) {
            out.writeLong(-1);
            return;
        }
        try (source) {
            long length = Files.size(file);
            out.writeLong(length);
            new PartOfStream(source, length).copyTo(out);
        }
    }

    private void list(Path folder) throws IOException {
        List<String> names;
        try {
            roots.requireReadable(folder);
            names = Files.isDirectory(folder) ? namesIn(folder) : List.of();
        } catch (IOException e) {
            out.writeUTF(textOf(e));
            return;
        }
        out.writeUTF("");
        out.writeInt(names.size());
        for (String name : names) {
            out.writeUTF(name);
        }
    }

    private static List<String> namesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** The bytes of a part that cannot be written are read all the same: the next request follows them. */
    private void write(FileRequest.Write part) throws IOException {
        PartOfStream bytes = new PartOfStream(in, part.count());
        String why = "";
        try {
            write(part, bytes);
        } catch (IOException e) {
            why = textOf(e);
        }
        bytes.copyTo(OutputStream.nullOutputStream());
        out.writeUTF(why);
    }

    private void write(FileRequest.Write part, PartOfStream bytes) throws IOException {
        roots.requireWritable(part.file());
        Files.createDirectories(Objects.requireNonNull(part.file().getParent(), "a file lies in a folder"));
        try (RandomAccessFile target = new RandomAccessFile(part.file().toFile(), "rw")) {
            target.seek(part.offset());
            bytes.copyTo(Channels.newOutputStream(target.getChannel()));
            // Last: a reader of a growing file must not see bytes before they are there.
            if (target.length() != part.size()) {
                target.setLength(part.size());
            }
        }
    }

    private void remove(Path file) throws IOException {
        String why = "";
        try {
            roots.requireWritable(file);
            Files.deleteIfExists(file);
        } catch (IOException e) {
            why = textOf(e);
        }
        out.writeUTF(why);
    }

    /** An empty text would mean that it was done. */
    private static String textOf(IOException e) {
        return String.valueOf(e.getMessage() == null || e.getMessage().isEmpty() ? e : e.getMessage());
    }
}
