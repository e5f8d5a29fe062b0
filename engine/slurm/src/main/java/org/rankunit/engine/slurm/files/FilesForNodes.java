package org.rankunit.engine.slurm.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The archive that is copied to nodes. It is packed by {@code tar}, which also unpacks it there. */
final class FilesForNodes {

    private static final long MAX_SECONDS = 120;

    private final List<ClassPathEntry> entries;
    private final Path libraries;
    private final String arguments;

    /**
     * @param entries jars and folders, each under a digest
     * @param libraries a folder with native libraries
     * @param arguments the content of the file with the class path
     */
    FilesForNodes(List<ClassPathEntry> entries, Path libraries, String arguments) {
        this.entries = List.copyOf(entries);
        this.libraries = libraries;
        this.arguments = arguments;
    }

    /**
     * Pack the archive.
     *
     * @param needed the digests that some node does not have
     * @param folder an existing folder, which is used for it alone
     */
    Path pack(Set<String> needed, Path folder) throws IOException {
        Path staged = Files.createDirectories(folder.resolve("staged"));
        Path store = Files.createDirectories(staged.resolve("store"));
        Set<String> packed = new LinkedHashSet<>();
        for (ClassPathEntry entry : entries) {
            if (!needed.contains(entry.digest()) || !packed.add(entry.digest())) {
                continue;
            }
            Path target = store.resolve(entry.digest());
            if (entry.isFolder()) {
                tar("-cf", target.toString(), "-C", entry.source().toString(), ".");
            } else {
                Files.createSymbolicLink(target, entry.source().toAbsolutePath());
            }
        }
        Files.createSymbolicLink(staged.resolve(NodeCopy.LIBRARIES), libraries);
        Files.writeString(staged.resolve(NodeCopy.ARGUMENTS), arguments);
        Files.writeString(
                staged.resolve("entries"),
                entries.stream().map(entry -> entry.line() + "\n").collect(Collectors.joining()));
        Path archive = folder.resolve("files.tar");
        tar("-chf", archive.toString(), "-C", staged.toString(), ".");
        return archive;
    }

    private static void tar(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("tar"));
        command.addAll(List.of(arguments));
        Path said = Files.createTempFile("rankunit-tar", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            process.getOutputStream().close();
            if (!hasEnded(process)) {
                throw new IOException(command + " did not end within " + MAX_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                String text = new String(Files.readAllBytes(said), StandardCharsets.UTF_8);
                throw new IOException(command + " failed: " + text.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while files for the nodes were packed", e);
        } finally {
            Files.deleteIfExists(said);
        }
    }

    private static boolean hasEnded(Process process) throws InterruptedException {
        try {
            return process.waitFor(MAX_SECONDS, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
    }
}
