package org.rankunit.comm.jna.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.jna.NativeLibrary;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class NativeLibraryFileTest {

    @Test
    void aMissingLibraryIsNamedWithTheMachinesThatAreSupported() {
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> NativeLibraryFile.load(
                        "no_such", "linux-x86-64", getClass().getClassLoader(), NativeLibraryFile::open))
                .withMessageContaining("there is no linux-x86-64/libno_such.so on the class path")
                .withMessageContaining("supported are linux-x86-64 and linux-aarch64");
    }

    @Test
    void aLibraryInAJarIsLoadedAndLeavesNothingInTheTempFolder(@TempDir Path folder) throws Exception {
        String resource = MachineType.resourcePrefix() + "/librankunit_sim.so";
        Path jar = folder.resolve("native.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file);
                InputStream library =
                        Objects.requireNonNull(getClass().getClassLoader().getResourceAsStream(resource))) {
            zip.putNextEntry(new ZipEntry(resource));
            library.transferTo(zip);
        }

        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            Path[] copy = new Path[1];
            NativeLibrary library =
                    NativeLibraryFile.load("rankunit_sim", MachineType.resourcePrefix(), loader, file -> {
                        copy[0] = file;
                        return NativeLibraryFile.open(file);
                    });

            assertThat(library.getFunction("comm_abi_version").invokeInt(new Object[0]))
                    .isEqualTo(1);
            assertThat(copy[0].getParent()).isEqualTo(Path.of(System.getProperty("java.io.tmpdir")));
            assertThat(copy[0]).doesNotExist();
        }
    }

    @Test
    void aFileThatIsNoLibraryIsNamed(@TempDir Path folder) throws Exception {
        Path file = Files.createDirectories(folder.resolve("linux-x86-64")).resolve("libbroken.so");
        Files.writeString(file, "not a library");

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            assertThatExceptionOfType(NativeLibraryException.class)
                    .isThrownBy(() -> NativeLibraryFile.load("broken", "linux-x86-64", loader, NativeLibraryFile::open))
                    .withMessageContaining(file + " cannot be loaded");
        }
    }

    @Test
    void anUnsupportedMachineIsNamedWithTheSupportedOnes() {
        assertThat(MachineType.resourcePrefix("Linux", "amd64")).isEqualTo("linux-x86-64");
        assertThat(MachineType.resourcePrefix("Linux", "aarch64")).isEqualTo("linux-aarch64");
        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> MachineType.resourcePrefix("Mac OS X", "aarch64"))
                .withMessage("RankUnit has no native library for Mac OS X on aarch64; supported: Linux on x86_64"
                        + " (linux-x86-64) and aarch64 (linux-aarch64)");
    }
}
