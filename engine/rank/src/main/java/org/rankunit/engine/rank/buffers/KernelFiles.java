package org.rankunit.engine.rank.buffers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.rankunit.device.Device;
import org.rankunit.device.Kernel;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.rank.files.ParentFiles;
import org.rankunit.graph.Orchestration;

/** Finds the kernels and orchestration functions of a test: on its class path, else among those that the parent has compiled. */
final class KernelFiles {

    private KernelFiles() {}

    static Kernel load(Device device, ToRank.BringUp order, ParentFiles files, String name) {
        URL url = find(order, files, name, "kernel", "kernels/aiv/" + name + ".cpp or kernels/aic/" + name + ".cpp");
        if (url.getProtocol().equals("file")) {
            return device.loadKernel(pathOf(url), name);
        }
        try {
            return loadFromJar(device, url, name);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the kernel " + url, e);
        }
    }

    static Orchestration orchestration(ToRank.BringUp order, ParentFiles files, String name) {
        URL url = find(order, files, name, "orchestration function", "kernels/orchestration/" + name + ".cpp");
        if (!url.getProtocol().equals("file")) {
            throw new IllegalArgumentException("the orchestration function '" + name + "' is the library " + url
                    + ", which cannot be loaded from there. Put its source into that jar instead, as"
                    + " kernels/orchestration/" + name + ".cpp, or the library into a folder of the class path.");
        }
        return new Orchestration(pathOf(url), name);
    }

    private static URL find(ToRank.BringUp order, ParentFiles files, String name, String what, String sources) {
        String platform = order.platform();
        String library = "kernels/" + platform + "/lib" + name + ".so";
        String binary = "kernels/" + platform + "/" + name + ".o";
        ClassLoader tests = Thread.currentThread().getContextClassLoader();
        URL url = Optional.ofNullable(tests.getResource(library)).orElseGet(() -> tests.getResource(binary));
        if (url != null) {
            return url;
        }
        String compiled = order.kernels().get(name);
        if (compiled == null) {
            throw new IllegalArgumentException(Optional.ofNullable(
                            order.kernelProblems().get(name))
                    .orElse("there is no " + what + " '" + name + "' for " + platform + ": neither " + library
                            + " (a shared library, for simulators) nor " + binary + " (a binary for the device) is on"
                            + " the class path, and no source " + sources
                            + " is there or in a folder of rankunit.kernel-sources"));
        }
        try {
            return files.fetch(Path.of(compiled)).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("not a path: " + compiled, e);
        }
    }

    private static Path pathOf(URL url) {
        try {
            return Path.of(url.toURI());
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
