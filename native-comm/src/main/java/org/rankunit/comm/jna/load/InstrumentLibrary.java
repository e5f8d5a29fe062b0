package org.rankunit.comm.jna.load;

import static org.apiguardian.api.API.Status.INTERNAL;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * What the JDK's own libraries do with this JVM: they load Java agents, and define classes that the JDK's classes can see.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class InstrumentLibrary {

    /** The places of two functions in the tables of JNI, which its specification fixes. */
    private static final int GET_ENV = 6;

    private static final int DEFINE_CLASS = 5;

    private static final int JNI_VERSION = 0x000a0000;

    private InstrumentLibrary() {}

    /**
     * Load an agent, as the JVM does when another process attaches to it, but without a file in the working folder and without a
     * signal.
     *
     * @param jar has an {@code Agent-Class}
     * @throws IOException if the JVM refuses, or has no such library
     */
    public static void loadAgent(Path jar) throws IOException {
        Function attach = library("libinstrument.so").getFunction("Agent_OnAttach");
        require("load an agent", attach.invokeInt(new Object[] {jvm(), jar.toString(), Pointer.NULL}));
    }

    /**
     * Define a class that all classes can see, those of the JDK included. To add its jar to the path of the JVM's own class loader
     * would do the same, but the JVM prints a warning then, and no longer takes classes from its archive.
     *
     * @throws LinkageError if there is such a class already
     * @throws IOException if the JVM refuses
     */
    public static void defineForAll(String className, byte[] classFile) throws IOException {
        Pointer jvm = jvm();
        PointerByReference environment = new PointerByReference();
        require("tell its version", entry(jvm, GET_ENV).invokeInt(new Object[] {jvm, environment, JNI_VERSION}));
        Pointer own = environment.getValue();
        Object[] arguments = {own, className.replace('.', '/'), Pointer.NULL, classFile, classFile.length};
        if (entry(own, DEFINE_CLASS).invokePointer(arguments) == null) {
            throw new IOException("the JVM does not define " + className);
        }
    }

    private static Pointer jvm() throws IOException {
        PointerByReference jvm = new PointerByReference();
        IntByReference count = new IntByReference();
        Function jvms = library("server/libjvm.so").getFunction("JNI_GetCreatedJavaVMs");
        require("find itself", jvms.invokeInt(new Object[] {jvm, 1, count}));
        return jvm.getValue();
    }

    private static Function entry(Pointer table, int index) {
        return Function.getFunction(table.getPointer(0).getPointer((long) index * Native.POINTER_SIZE));
    }

    private static void require(String what, int status) throws IOException {
        if (status != 0) {
            throw new IOException("the JVM does not " + what + ": status " + status);
        }
    }

    private static NativeLibrary library(String name) throws IOException {
        Path file = Path.of(System.getProperty("java.home"), "lib", name);
        try {
            return NativeLibrary.getInstance(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw new IOException("this JDK has no " + file, e);
        }
    }
}
