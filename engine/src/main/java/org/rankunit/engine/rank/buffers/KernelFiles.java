package org.rankunit.engine.rank.buffers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.rankunit.device.Device;
import org.rankunit.device.Kernel;
import org.rankunit.engine.control.ToRank;

/** Finds the kernels of a test: on its class path, else among those that the parent has compiled. */
final class KernelFiles {

    private KernelFiles() {}

    static Kernel load(Device device, ToRank.BringUp order, String name) {
        String platform = order.platform();
        String library = "kernels/" + platform + "/lib" + name + ".so";
        String binary = "kernels/" + platform + "/" + name + ".o";
        ClassLoader tests = Thread.currentThread().getContextClassLoader();
        URL url = Optional.ofNullable(tests.getResource(library)).orElseGet(() -> tests.getResource(binary));
        String compiled = order.kernels().get(name);
        if (url == null && compiled != null) {
            return device.loadKernel(Path.of(compiled), name);
        } else if (url == null) {
            throw new IllegalArgumentException(Optional.ofNullable(
                            order.kernelProblems().get(name))
                    .orElse("there is no kernel '" + name + "' for " + platform + ": neither " + library
                            + " (a shared library, for simulators) nor " + binary + " (a binary for the device) is on"
                            + " the class path, and no source kernels/aiv/" + name + ".cpp or kernels/aic/" + name
                            + ".cpp is there or in a folder of rankunit.kernel-sources"));
        }
        try {
            if (url.getProtocol().equals("file")) {
                return device.loadKernel(Path.of(url.toURI()), name);
            }
            return loadFromJar(device, url, name);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the kernel " + url, e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("not a path: " + url, e);
        }
    }

    /** The dynamic linker reads only files. Once the kernel is loaded, the file is no longer needed. */
    private static Kernel loadFromJar(Device device, URL url, String name) throws IOException {
        Path file = Files.createTempFile("rankunit-kernel-", ".so");
        try (InputStream in = url.openStream()) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return device.loadKernel(file, name);
        } finally {
            Files.delete(file);
        }
    }
}
