package org.rankunit.golden.files;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.Values;

/** An archive of arrays: a zip file with one {@code .npy} entry for each. */
final class NpzFile {

    private static final String ENDING = ".npy";

    /** No more bytes than this come from one compressed byte. */
    private static final int MAX_DEFLATED = 1032;

    private NpzFile() {}

    /** What the array says of itself; its elements are not read. */
    static ValueFiles.Content content(Path file, @Nullable DType type) throws IOException {
        return read(file, (entry, in) -> {
            byte[] front = in.readNBytes(NpyFile.MAX_IN_FRONT);
            return start(file, entry, front, type).content();
        });
    }

    static Values values(Path file, @Nullable DType type) throws IOException {
        return read(file, (entry, in) -> {
            byte[] front = in.readNBytes(NpyFile.MAX_IN_FRONT);
            NpyFile.Start start = start(file, entry, front, type);
            byte[] elements = Arrays.copyOfRange(front, start.offset(), start.offset() + start.bytes());
            int read = Math.min(front.length - start.offset(), start.bytes());
            read += in.readNBytes(elements, read, start.bytes() - read);
            CRC32 checksum = new CRC32();
            checksum.update(front, 0, start.offset());
            checksum.update(elements);
            // The archive may say another length than its content has.
            if (read < start.bytes() || in.read() >= 0 || checksum.getValue() != entry.getCrc()) {
                throw new ValueFileException(
                        file,
                        "is damaged: the content of " + entry.getName()
                                + " does not have the checksum that the archive has for it. Write it again.");
            }
            return Values.decode(start.type(), elements);
        });
    }

    private interface Reader<T> {
        T read(ZipEntry entry, InputStream in) throws IOException;
    }

    private static <T> T read(Path file, Reader<T> reader) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        try (ZipFile archive = new ZipFile(file.toFile())) {
            ZipEntry entry = entryOf(file, archive);
            try (InputStream in = archive.getInputStream(entry)) {
                return reader.read(entry, in);
            }
        } catch (ZipException | EOFException e) {
            throw new ValueFileException(
                    file, "is not a complete .npz file (" + e.getMessage() + "). Write it again with numpy.savez.", e);
        }
    }

    private static NpyFile.Start start(Path file, ZipEntry entry, byte[] front, @Nullable DType type) {
        Path place = file.resolve(entry.getName().replaceAll("[^\\w.-]", "_"));
        NpyFile.Start start = NpyFile.start(place, ByteBuffer.wrap(front), type, entry.getSize());
        // The archive may say anything of its entry, but not that this is larger than itself.
        long compressed = Math.min(entry.getCompressedSize(), file.toFile().length());
        if (start.bytes() / MAX_DEFLATED > compressed) {
            throw new ValueFileException(
                    place,
                    "is damaged: it promises " + start.bytes() + " bytes, which no " + compressed
                            + " compressed ones hold. Write it again.");
        }
        return start;
    }

    private static ZipEntry entryOf(Path file, ZipFile archive) {
        List<? extends ZipEntry> entries = entries(file, archive);
        String own = ValueFiles.stem(file) + ENDING;
        return entries.stream()
                .filter(entry -> entry.getName().equals(own) || entries.size() == 1)
                .findFirst()
                .orElseThrow(() -> new ValueFileException(
                        file,
                        "has " + entries.size() + " arrays, and none of them is named " + ValueFiles.stem(file)
                                + ". Write numpy.savez(file, " + ValueFiles.stem(file) + "=array)."));
    }

    private static List<? extends ZipEntry> entries(Path file, ZipFile archive) {
        try {
            return archive.stream().toList();
        } catch (IllegalArgumentException e) {
            // A name or a comment that is said to be UTF-8; the JDK has no other exception for it.
            throw new ValueFileException(
                    file,
                    "is damaged: its list of arrays is not readable (" + e.getMessage() + "). Write it again.",
                    e);
        }
    }

    static void write(OutputStream out, String name, Values values, int[] shape) throws IOException {
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        NpyFile.write(array, values, shape);
        byte[] content = array.toByteArray();
        CRC32 checksum = new CRC32();
        checksum.update(content);
        ZipEntry entry = new ZipEntry(name + ENDING);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(checksum.getValue());
        entry.setTime(0);
        ZipOutputStream archive = new ZipOutputStream(out);
        archive.putNextEntry(entry);
        archive.write(content);
        archive.closeEntry();
        archive.finish();
    }
}
