package org.rankunit.engine.rank.files;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.rankunit.engine.protocol.FileAccess;
import org.rankunit.engine.protocol.FileRequest;
import org.rankunit.engine.protocol.PartOfStream;
import org.slf4j.LoggerFactory;

/** One connection over which the parent's files are read and written. Not thread-safe. */
final class FileCalls implements AutoCloseable {

    /** How long the parent may say nothing. It answers at once, but reads and writes files. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int BUFFER_BYTES = 1 << 16;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;
    private boolean isAnswered;

    /** Connect; the parent answers a wrong token by closing the connection. */
    FileCalls(FileAccess access) throws IOException {
        int patience = Math.toIntExact(PATIENCE.toMillis());
        boolean complete = false;
        try {
            socket.connect(new InetSocketAddress(access.host(), access.port()), patience);
            socket.setSoTimeout(patience);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
            out.writeUTF(access.token());
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    /** The parent has read a request and not done it; the connection can still be used. */
    static final class RefusedException extends IOException {

        private static final long serialVersionUID = 1L;

        RefusedException(String why) {
            super(why);
        }
    }

    /** Whether the parent has ever answered here, and so knows who this is. */
    boolean isAnswered() {
        return isAnswered;
    }

    /** Copy a file; false if there is none. */
    boolean read(Path file, Path copy) throws IOException {
        FileRequest.send(new FileRequest.Read(file), out);
        awaitAnswer();
        long length = in.readLong();
        if (length < 0) {
            return false;
        }
        // Other ranks of the same node may read the same file.
        Path fresh = Files.createTempFile(Objects.requireNonNull(copy.getParent()), ".", ".new");
        try {
            try (OutputStream to = Files.newOutputStream(fresh)) {
                new PartOfStream(in, length).copyTo(to);
            }
            Files.move(fresh, copy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        return true;
    }

    /** The names of the files in a folder; none if there is no such folder. */
    List<String> list(Path folder) throws IOException {
        FileRequest.send(new FileRequest.List(folder), out);
        awaitAnswer();
        int count = in.readInt();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(in.readUTF());
        }
        return names;
    }

    /** Write a part of a file from its copy. */
    void write(Path file, Path copy, long from, long to) throws IOException {
        try (InputStream part = Files.newInputStream(copy)) {
            part.skipNBytes(from);
            FileRequest.send(new FileRequest.Write(file, Files.size(copy), from, to - from), out);
            new PartOfStream(part, to - from).copyTo(out);
        }
        awaitAnswer();
    }

    void remove(Path file) throws IOException {
        FileRequest.send(new FileRequest.Remove(file), out);
        awaitAnswer();
    }

    private void awaitAnswer() throws IOException {
        out.flush();
        String why = in.readUTF();
        isAnswered = true;
        if (!why.isEmpty()) {
            throw new RefusedException(why);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LoggerFactory.getLogger(FileCalls.class).debug("The connection for files cannot be closed", e);
        }
    }
}
