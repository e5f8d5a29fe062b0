package org.rankunit.engine.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.rankunit.engine.config.files.PrivateFolder;
import org.rankunit.engine.config.files.RandomHex;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.pool.lock.ProcessUser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one run, with the sockets and rendezvous files of its ranks. Only its user can read it.
 *
 * <p>It is located beside those of other runs of the same user and is locked while its run is alive. A run that was killed leaves
 * its folder behind unlocked, and the next run deletes exactly such folders.
 */
public final class SessionFolder implements AutoCloseable {

    /** Where the folder is by default, for messages. */
    private static final String TEMPORARY = "java.io.tmpdir";

    private static final String LOCK = "alive.lock";

    private static final int NAME_BYTES = 6;

    /**
     * The live sessions of this JVM. A sweep must not even open their lock files: the kernel drops all locks that a process holds
     * on a file as soon as the process closes any descriptor of it.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    /** Maximum path length in the address of a Unix-domain socket, in bytes, without the terminating zero. */
    private static final int MAX_SOCKET_PATH = 107;

    private static final Duration LONG_AGO = Duration.ofHours(1);

    private static final String LONGEST_NAME = "/g10000/control";

    private final Path folder;
    private final String setting;
    private final FileChannel channel;

    /** Deletes the folder even if the run is stopped by a signal, as a terminal or an IDE does. */
    private final Thread atExit = new Thread(this::deleteAtExit, "rankunit-session-end");

    private SessionFolder(Path folder, String setting, FileChannel channel) {
        this.folder = folder;
        this.setting = setting;
        this.channel = channel;
    }

    /** Create a folder for this run, and delete those of dead runs. */
    public static SessionFolder create() {
        String name = "rankunit-" + ProcessUser.nameInFiles() + "-sessions";
        Path parent = Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
        if (parent.resolve(RandomHex.of(NAME_BYTES)).toString().length() + LONGEST_NAME.length() > MAX_SOCKET_PATH) {
            parent = Path.of("/tmp").resolve(name);
        }
        return createBelow(parent, TEMPORARY);
    }

    /**
     * Create a folder that the ranks of other machines see, too.
     *
     * @param above a folder of a file system that all of them share; it is created if necessary
     * @param setting the configuration key of that folder, for messages
     */
    public static SessionFolder createShared(Path above, String setting) {
        try {
            Files.createDirectories(above);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + above + " (" + setting + "): " + e.getMessage(), e);
        }
        return createBelow(above.resolve("sessions"), setting);
    }

    private static SessionFolder createBelow(Path parent, String setting) {
        try {
            createPrivate(parent, setting);
            sweep(parent);
            Path folder = parent.resolve(RandomHex.of(NAME_BYTES));
            createPrivate(folder, setting);
            OWN.add(folder);
            SessionFolder session = new SessionFolder(folder, setting, lock(folder));
            session.cleanUpAtExit();
            return session;
        } catch (IOException e) {
            String advice = e instanceof FileSystemException ? advice(setting) : "";
            throw new UncheckedIOException(
                    "cannot create a session folder below " + parent + " (" + setting + "): " + e.getMessage() + advice,
                    e);
        }
    }

    /** The lock file gets its name only once the lock is held: another run must never see it unlocked. */
    private static FileChannel lock(Path folder) throws IOException {
        Path unnamed = folder.resolve(LOCK + ".new");
        FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            throw new IOException(folder + " is locked by another process");
        }
        Files.move(unnamed, folder.resolve(LOCK));
        return channel;
    }

    /** Create a folder for one group. */
    public Path groupFolder(int number) throws IOException {
        Path group = folder.resolve("g" + number);
        createPrivate(group, setting);
        return group;
    }

    /** What a message about a failed write to this folder says: where it is, why, and what to do. */
    public String failed(String what, IOException e) {
        return what + " " + folder + " (" + setting + "): " + e.getMessage() + advice(setting);
    }

    private static String advice(String setting) {
        return ". Make room there, or set " + setting + ".";
    }

    /** The folder itself. */
    public Path path() {
        return folder;
    }

    private void cleanUpAtExit() throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            close();
            throw new IOException("this JVM is shutting down", e);
        }
    }

    /** The ranks are still running and may be creating files. The next run deletes whatever is left. */
    private void deleteAtExit() {
        deleteDead(folder);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            log().debug("This JVM is shutting down and deletes {} itself", folder, e);
        }
        try {
            deleteTree(folder);
            channel.close();
        } catch (IOException e) {
            log().warn("Cannot remove the session folder {}; the next run will", folder, e);
        } finally {
            OWN.remove(folder);
        }
    }

    private static void createPrivate(Path folder, String setting) throws IOException {
        PrivateFolder.prepare(folder, "set " + setting);
    }

    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> sessions = Files.newDirectoryStream(parent)) {
            for (Path session : sessions) {
                if (isDead(session)) {
                    endProcesses(session);
                    deleteDead(session);
                }
            }
        }
    }

    /** If the ranks were killed together with their parent, nothing ended the processes that they had started. */
    private static void endProcesses(Path session) {
        ProcessMark.ofSession(session)
                .endBearers(command -> log().warn("Ending {}, which a killed run left behind", command));
    }

    /** A session is dead if its lock file exists and no process holds the lock: the kernel drops the lock when the process ends. */
    private static boolean isDead(Path session) {
        if (OWN.contains(session)) {
            return false;
        }
        Path lock = session.resolve(LOCK);
        if (!Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
            // Its run is about to lock it, or was killed before it could.
            return session.toFile().lastModified() < System.currentTimeMillis() - LONG_AGO.toMillis();
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            FileLock taken = channel.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            log().debug("Cannot tell whether {} is in use", session, e);
            return false;
        }
    }

    /** Another run may be deleting the same folder, so files may disappear meanwhile. */
    private static void deleteDead(Path session) {
        try {
            deleteTree(session);
        } catch (IOException | UncheckedIOException e) {
            log().debug("Cannot clean up {}", session, e);
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(folder)) {
            all = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(SessionFolder.class);
    }
}
