package org.rankunit.golden.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

    private NpzFile() {}

    static ValueFiles.Elements read(Path file, @Nullable DType type) throws IOException {
        if (!java.nio.file.Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        try (ZipFile archive = new ZipFile(file.toFile())) {
            ZipEntry entry = entryOf(file, archive);
            if (entry.getSize() > Integer.MAX_VALUE - 8) {
                throw ValueFiles.tooLarge(file, entry.getSize());
            }
            try (InputStream in = archive.getInputStream(entry)) {
                return NpyFile.read(file.resolve(entry.getName()), ByteBuffer.wrap(in.readAllBytes()), type);
            }
        } catch (ZipException e) {
            throw new ValueFileException(
                    file, "is no whole .npz file (" + e.getMessage() + "). Write it again with numpy.savez.", e);
        }
    }

    private static ZipEntry entryOf(Path file, ZipFile archive) {
        List<? extends ZipEntry> entries = archive.stream().toList();
        String own = ValueFiles.stem(file) + ENDING;
        return entries.stream()
                .filter(entry -> entry.getName().equals(own) || entries.size() == 1)
                .findFirst()
                .orElseThrow(() -> new ValueFileException(
                        file,
                        "has " + entries.size() + " arrays, and none of them is named " + ValueFiles.stem(file)
                                + ". Write numpy.savez(file, " + ValueFiles.stem(file) + "=array)."));
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
