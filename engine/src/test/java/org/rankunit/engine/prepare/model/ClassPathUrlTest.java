package org.rankunit.engine.prepare.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class ClassPathUrlTest {

    @ParameterizedTest
    @ValueSource(strings = {"plain", "with space", "50%20", "a!", "!/b!", "#1?", "ü"})
    void whatIsInJarsAndFoldersIsRead(String name, @TempDir Path temporary) throws IOException {
        Path folder = Files.createDirectories(temporary.resolve(name));
        Path inside = Files.createDirectory(folder.resolve("inside!"));
        Files.writeString(inside.resolve("text"), "in the folder");
        Path jar = folder.resolve("a!.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("text"));
            out.write("in the jar".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(read(inside)).isEqualTo("in the folder");
        assertThat(read(jar)).isEqualTo("in the jar");
    }

    private static String read(Path entry) throws IOException {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {ClassPathUrl.of(entry)}, null);
                InputStream in =
                        Objects.requireNonNull(loader.getResource("text")).openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
