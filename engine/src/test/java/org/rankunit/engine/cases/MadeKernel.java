package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A kernel for the simulator, compiled into the class path of the tests. */
public final class MadeKernel {

    private MadeKernel() {}

    /** Compile a kernel that never ends. */
    public static void thatSpins(String name) throws IOException, InterruptedException, URISyntaxException {
        compile(name, "for (volatile int i = 0;;) i = i;");
    }

    /** Compile a kernel with debug information that makes its process crash, in a function of its own in line 42 of nowhere.cpp. */
    public static void thatWritesNowhere(String name) throws IOException, InterruptedException, URISyntaxException {
        build(name, """
                #line 41
                static int deep(volatile int *target) {
                    return *target = 7;
                }
                extern "C" int NAME(const unsigned long *, int) {
                    return deep((volatile int *)16);
                }
                """.replace("NAME", name));
    }

    /** Compile a kernel that does nothing, and does it well. */
    public static void thatPasses(String name) throws IOException, InterruptedException, URISyntaxException {
        compile(name, "return 0;");
    }

    private static void compile(String name, String body) throws IOException, InterruptedException, URISyntaxException {
        build(name, "extern \"C\" int " + name + "(const unsigned long *, int) { " + body + " }");
    }

    private static void build(String name, String source) throws IOException, InterruptedException, URISyntaxException {
        Path classes = Path.of(MadeKernel.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path folder = Files.createDirectories(classes.resolve("kernels/a2a3sim"));
        Path library = folder.resolve("lib" + name + ".so");
        Path file = Files.writeString(folder.resolve(name + ".cpp"), source);
        Process compiler = new ProcessBuilder(
                        "c++", "-shared", "-g", "-fPIC", "-o", library.toString(), file.toString())
                .redirectErrorStream(true)
                .start();
        compiler.getOutputStream().close();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(said).isZero();
    }
}
