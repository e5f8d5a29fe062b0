package org.rankunit.engine.cases;

import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a test can ask the kernel to do to its own process. */
final class Kernel {

    static final int SIGKILL = 9;
    static final int SIGSTOP = 19;
    private static final int BOTH_WAYS = 2;
    private static final int RLIMIT_NOFILE = 7;

    private Kernel() {}

    /** What is called later takes no time then. */
    static void load() {
        signal(0);
    }

    static void signal(int signal) {
        call("kill", (int) ProcessHandle.current().pid(), signal);
    }

    static void abort() {
        call("abort");
    }

    /** End every connection of this process, as the control channel is one. */
    static void closeConnections() throws IOException {
        for (int socket : sockets()) {
            call("shutdown", socket, BOTH_WAYS);
        }
    }

    /** Close the descriptors of every connection and of the input, by which the parent is heard. */
    static void closeDescriptors() throws IOException {
        List<Integer> open = new ArrayList<>(sockets());
        open.add(0);
        open.forEach(descriptor -> call("close", descriptor));
    }

    /** Say something on every connection of this process. */
    static void sayOnConnections(byte[] bytes) throws IOException {
        for (int socket : sockets()) {
            call("write", socket, bytes, bytes.length);
        }
    }

    private static List<Integer> sockets() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(Kernel::isSocket)
                    .map(file -> Integer.valueOf(file.getFileName().toString()))
                    .toList();
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException e) {
            return false;
        }
    }

    /** Let this process have only so many files open. */
    static void limitFiles(long most) {
        call("setrlimit", RLIMIT_NOFILE, new long[] {most, most});
    }

    private static void call(String function, Object... arguments) {
        Function called = NativeLibrary.getProcess().getFunction(function);
        var unused = called.invokeInt(arguments);
    }
}
