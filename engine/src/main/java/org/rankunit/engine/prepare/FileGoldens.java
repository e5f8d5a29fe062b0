package org.rankunit.engine.prepare;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.Buffer;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.prepare.model.GoldenException;
import org.rankunit.engine.protocol.BufferDeclaration;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.Variant;
import org.rankunit.golden.files.RankFiles;
import org.rankunit.golden.files.ValueFileException;

/** Finds golden files, and checks them without reading what they hold. */
final class FileGoldens {

    private static final String INPUT = "It is an input of the test, which no run writes.";
    private static final String OUTPUT =
            "Expected outputs are written by a run with " + ConfigKey.GOLDEN.key() + "=update.";

    private final GoldenSettings settings;
    private final Variant variant;

    FileGoldens(GoldenSettings settings, Variant variant) {
        this.settings = settings;
        this.variant = variant;
    }

    TestSelection.Goldens of(String actualFolder) throws GoldenException {
        Path folder = folder();
        List<String> inputs = new ArrayList<>();
        List<TestSelection.Output> outputs = new ArrayList<>();
        for (BufferDeclaration buffer : variant.test().buffers()) {
            if (buffer.role() == Buffer.Role.INPUT || buffer.role() == Buffer.Role.INOUT) {
                check(folder, buffer, buffer.name(), INPUT);
                inputs.add(buffer.name());
            }
            if (buffer.role() == Buffer.Role.INOUT || isExpected(folder, buffer)) {
                String name = buffer.role() == Buffer.Role.INOUT ? buffer.name() + RankFiles.EXPECTED : buffer.name();
                if (!settings.update()) {
                    check(folder, buffer, name, OUTPUT);
                }
                outputs.add(new TestSelection.Output(buffer.name(), name, List.of()));
            }
        }
        if (outputs.isEmpty()) {
            throw new GoldenException(shown()
                    + ": the test has no buffer with the role OUTPUT or INOUT, so nothing would be verified. Give its"
                    + " outputs that role: @Buffer(..., role = OUTPUT).");
        }
        return new TestSelection.Goldens(
                variant.source().check(),
                folder.toString(),
                inputs,
                folder.toString(),
                outputs,
                actualFolder,
                settings.update());
    }

    private static boolean isExpected(Path folder, BufferDeclaration buffer) {
        return Variant.isRequired(buffer)
                || (buffer.role() == Buffer.Role.OUTPUT
                        && RankFiles.of(folder, 0).find(buffer.name()).isPresent());
    }

    private void check(Path folder, BufferDeclaration buffer, String name, String advice) throws GoldenException {
        int[] shape = buffer.shape().isEmpty()
                ? new int[] {buffer.count()}
                : buffer.shape().stream().mapToInt(Integer::intValue).toArray();
        for (int rank = 0; rank < variant.test().ranks(); rank++) {
            try {
                RankFiles.check(
                        RankFiles.of(folder, rank).required(name),
                        "the buffer '" + buffer.name() + "'",
                        buffer.type(),
                        shape);
            } catch (ValueFileException e) {
                String problem = String.valueOf(e.getMessage());
                throw new GoldenException(shown() + ": " + problem + (problem.endsWith(".") ? " " : ". ") + advice, e);
            }
        }
    }

    private String shown() {
        return variant.source().place() + ": @GoldenFiles(\"" + variant.source().folder() + "\")";
    }

    /** The folder below that of the module, else on the class path. New files are written only below the first. */
    private Path folder() throws GoldenException {
        Path inProject;
        try {
            inProject = settings.project().resolve(variant.source().folder()).normalize();
        } catch (InvalidPathException e) {
            throw new GoldenException(shown() + " is not a path: " + e.getReason() + ".", e);
        }
        if (Files.isDirectory(inProject)) {
            return inProject;
        }
        Optional<Path> onClassPath = onClassPath();
        if (settings.update() && onClassPath.isPresent()) {
            throw new GoldenException(shown() + " is on the class path (" + onClassPath.get() + "), which "
                    + ConfigKey.GOLDEN.key() + " = update does not change. Name the folder of its source, relative to "
                    + settings.project() + ".");
        }
        if (settings.update()) {
            return inProject;
        }
        return onClassPath.orElseThrow(() -> new GoldenException(shown() + ": there is no folder " + inProject
                + ", and none with that name on the class path. Create it with rank_0/<buffer>.npy and so on, or write"
                + " the expected outputs by a run with " + ConfigKey.GOLDEN.key() + "=update."));
    }

    private Optional<Path> onClassPath() {
        URL found = Thread.currentThread()
                .getContextClassLoader()
                .getResource(variant.source().folder());
        try {
            return found == null || !"file".equals(found.getProtocol())
                    ? Optional.empty()
                    : Optional.of(Path.of(found.toURI())).filter(Files::isDirectory);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
