package org.rankunit.engine.rank.threads;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.load.InstrumentLibrary;

/** Gets the JVM's leave to change classes while it runs, and shows the JDK's classes the hook. */
public final class Agent {

    /** In this order; neither must be loaded before the JDK's classes can see it. */
    private static final String[] HOOK = {"boot.ThreadHook$Observer", "boot.ThreadHook"};

    private static volatile @Nullable Instrumentation given;

    private Agent() {}

    /** Called by the JVM. */
    public static void agentmain(String arguments, Instrumentation instrumentation) {
        given = instrumentation;
    }

    /**
     * Load it.
     *
     * @throws IOException if the JVM refuses, or if the jar that it demands cannot be written
     */
    static Instrumentation load() throws IOException {
        Path jar = Files.createTempFile("rankunit-threads-", ".jar");
        try {
            write(jar);
            InstrumentLibrary.loadAgent(jar);
        } finally {
            Files.delete(jar);
        }
        Instrumentation loaded = given;
        if (loaded == null) {
            throw new IOException("the JVM does not start the agent that it has loaded");
        }
        for (String name : HOOK) {
            String className = Agent.class.getPackageName() + "." + name;
            InstrumentLibrary.defineForAll(className, read(className));
        }
        return loaded;
    }

    private static byte[] read(String className) throws IOException {
        String file = className.replace('.', '/') + ".class";
        try (InputStream in = Agent.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is not on the class path");
            }
            return in.readAllBytes();
        }
    }

    /** The agent itself is on the class path of this JVM. */
    private static void write(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", Agent.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
    }
}
