package org.rankunit.engine.cases;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Strikes a rank from within before there is any test: the JVM runs an agent before anything else. */
public final class StrikeAgent {

    private StrikeAgent() {}

    /** Make the jar that names this class as an agent. */
    public static Path jarIn(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), StrikeAgent.class.getName());
        Path jar = folder.resolve("strike.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    /** Called by the JVM. */
    public static void premain(String arguments, Instrumentation jvm) throws IOException {
        Strike strike = Strike.ofThisJvm();
        int rank = Notes.rankOfThisJvm();
        if (strike.moment() == Moment.START) {
            strike.reached(Moment.START, rank);
        } else if (strike.rank() == rank) {
            Thread main = Thread.currentThread();
            boolean afterBootstrap =
                    strike.moment() == Moment.BOOTSTRAP || strike.fault().kind() == Fault.Kind.CHANNEL;
            inBackground(() -> {
                if (afterBootstrap) {
                    awaitBringUp(main);
                }
                later(strike);
            });
        }
    }

    /** Strike as many microseconds from now as it says. */
    static void later(Strike strike) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(strike.micros()));
        try {
            strike.now(strike.rank());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void inBackground(Runnable strike) {
        Thread thread = new Thread(strike, "strike");
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitBringUp(Thread main) {
        while (Stream.of(main.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("bringUpAndServe"))) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }
}
