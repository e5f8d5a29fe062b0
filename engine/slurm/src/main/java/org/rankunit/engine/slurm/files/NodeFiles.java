package org.rankunit.engine.slurm.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SlurmSettings;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.site.SiteException;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.pool.lock.ProcessUser;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the nodes of a job have what ranks need: looks whether they see the files of this machine, and copies these if not,
 * once in a run. Owns the copies. Thread-safe.
 */
public final class NodeFiles implements AutoCloseable {

    /** How long an end waits for what is being copied to nodes to be given up. */
    private static final Duration GIVE_UP = Duration.ofSeconds(10);

    private final RankCommand command;
    private final SlurmSettings settings;
    private final NodeShell nodes;
    private final Path session;
    private final Path workingDirectory;
    private final FileRoots roots;
    private final Path root;
    private final Path run;
    private final FutureTask<Optional<NodeCopy>> task = new FutureTask<>(this::prepare);
    private final Thread worker = new Thread(task, "rankunit-node-files");

    /** Set before the task begins. */
    private String host = "";

    // Guarded by this.
    private @Nullable FileServer server;
    private boolean copied;
    private boolean closed;

    /**
     * Prepare to look.
     *
     * @param command the command of ranks that see the files of this machine
     * @param session the folder of the run, on this machine
     * @param workingDirectory where ranks run if they see it
     * @param roots which files ranks may read and write
     */
    public NodeFiles(
            RankCommand command,
            SlurmSettings settings,
            Allocation allocation,
            Path session,
            Path workingDirectory,
            FileRoots roots) {
        this.command = command;
        this.settings = settings;
        this.nodes = new NodeShell(allocation);
        this.session = session;
        this.workingDirectory = workingDirectory;
        this.roots = roots;
        this.root = settings.nodeFolder().resolve("rankunit-" + ProcessUser.nameInFiles() + "-nodes");
        this.run = root.resolve(String.valueOf(session.getFileName()));
    }

    /** The command of ranks that see the files of this machine. */
    public RankCommand command() {
        return command;
    }

    /** Where ranks run if they see it. */
    public Path workingDirectory() {
        return workingDirectory;
    }

    /**
     * Begin in the background, while this machine does other things.
     *
     * @param address an address of this machine, in numbers, which the nodes reach
     */
    public void begin(String address) {
        host = address;
        worker.setDaemon(true);
        worker.start();
    }

    /**
     * Wait until nodes have the files.
     *
     * @return the copies; empty if nodes see the files of this machine
     * @throws IOException if they cannot get them; the message says why
     */
    public Optional<NodeCopy> await() throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(String.valueOf(cause.getMessage()), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the nodes got their files", e);
        }
    }

    private Optional<NodeCopy> prepare() throws IOException {
        if (settings.files() == SlurmSettings.Files.SHARED) {
            return Optional.empty();
        }
        if (settings.files() == SlurmSettings.Files.AUTO) {
            Optional<String> unseen = firstUnseen();
            if (unseen.isEmpty()) {
                return Optional.empty();
            }
            System.out.println("rankunit: copies the class path to the nodes: " + unseen.get());
        }
        return Optional.of(copy());
    }

    /** What a node does not see. If they do not answer, starting a rank there will tell why. */
    private Optional<String> firstUnseen() {
        List<String> files = new ArrayList<>(List.of(session.toString(), workingDirectory.toString()));
        command.filesForNodes().forEach(file -> files.add(file.toString()));
        try {
            return nodes.run(NodeScripts.LOOK, files)
                    .lines()
                    .findFirst()
                    .map(line -> line.replaceFirst(" ", " has no "));
        } catch (SiteException e) {
            LoggerFactory.getLogger(NodeFiles.class).warn("Cannot tell which files the nodes see: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private NodeCopy copy() throws IOException {
        List<ClassPathEntry> entries = new ArrayList<>();
        Map<Path, Path> copies = new LinkedHashMap<>();
        copies.put(command.libraries(), run.resolve(NodeCopy.LIBRARIES));
        for (Path file : command.filesForNodes()) {
            ClassPathEntry entry = ClassPathEntry.of(file, entries.size());
            entries.add(entry);
            copies.put(file, run.resolve(NodeCopy.CLASS_PATH).resolve(entry.name()));
        }
        try {
            send(entries, copies);
        } catch (SiteException e) {
            throw new IOException(
                    "the class path cannot be copied to the nodes (" + ConfigKey.SLURM_FILES.key() + ", "
                            + ConfigKey.SLURM_NODE_FOLDER.key() + " = " + settings.nodeFolder() + "): "
                            + e.getMessage(),
                    e);
        }
        return new NodeCopy(
                run,
                command.movedTo(run.resolve(NodeCopy.ARGUMENTS), copies),
                listen().access(run.resolve(NodeCopy.FILES).toString()));
    }

    private void send(List<ClassPathEntry> entries, Map<Path, Path> copies) throws IOException {
        Set<String> digests =
                entries.stream().map(ClassPathEntry::digest).collect(Collectors.toCollection(LinkedHashSet::new));
        List<String> arguments = new ArrayList<>(List.of(root.toString(), run.toString()));
        arguments.addAll(digests);
        begun();
        Set<String> needed = nodes.run(NodeScripts.BEGIN, arguments).lines().collect(Collectors.toSet());
        FilesForNodes files = new FilesForNodes(
                entries,
                command.libraries(),
                RankCommand.argumentsFor(command.classPath().stream()
                        .filter(copies::containsKey)
                        .map(copies::get)
                        .toList()));
        Path own = Files.createDirectory(session.resolve("for-nodes"));
        nodes.broadcast(files.pack(needed, own), run.resolve("files.tar"));
        nodes.run(NodeScripts.UNPACK, List.of(root.toString(), run.toString()));
    }

    private synchronized void begun() throws IOException {
        if (closed) {
            throw new IOException("the run has ended");
        }
        copied = true;
    }

    private synchronized FileServer listen() throws IOException {
        if (closed) {
            throw new IOException("the run has ended");
        }
        FileServer listening = FileServer.listen(host, roots);
        server = listening;
        return listening;
    }

    /** Removes the copies, after all ranks have ended, and gives up what is being copied. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (server != null) {
                server.close();
            }
        }
        worker.interrupt();
        boolean interrupted = false;
        try {
            worker.join(GIVE_UP.toMillis());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        removeCopies();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeCopies() {
        synchronized (this) {
            if (!copied) {
                return;
            }
        }
        try {
            nodes.run(NodeScripts.END, List.of(root.toString(), run.toString()));
        } catch (SiteException e) {
            LoggerFactory.getLogger(NodeFiles.class).warn("{} is left behind on nodes: {}", run, e.getMessage());
        }
    }
}
