package org.rankunit.engine.compile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.rankunit.engine.compile.cache.HeaderList;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.compile.cache.KeyLock;
import org.rankunit.engine.compile.source.KernelSource;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.protocol.wire.Limits;

/** Gets the library of one source, from the cache or from the compiler. */
final class KernelJob implements Callable<KernelResult> {

    /** How often a source is compiled that is being edited at the same time. */
    private static final int ATTEMPTS = 3;

    private static final int MAX_CHARS_OF_COMMAND = 1000;

    private final KernelSource source;
    private final Recipe recipe;
    private final KernelCache cache;
    private final SessionTime session;

    KernelJob(KernelSource source, Recipe recipe, KernelCache cache, SessionTime session) {
        this.source = source;
        this.recipe = recipe;
        this.cache = cache;
        this.session = session;
    }

    @Override
    public KernelResult call() throws InterruptedException {
        try {
            return library();
        } catch (CompileException e) {
            return new KernelResult.Failed("kernel '" + source.name() + "' does not compile for "
                    + recipe.platform().id() + " (" + recipe.paths().of(source.file()) + "): " + e.getMessage());
        } catch (IOException e) {
            return new KernelResult.Failed("kernel '" + source.name() + "' ("
                    + recipe.paths().of(source.file())
                    + ") cannot be compiled or kept in " + cache.folder() + ": " + e);
        }
    }

    private KernelResult library() throws IOException, CompileException, InterruptedException {
        long begin = System.nanoTime();
        byte[] content = Files.readAllBytes(source.file());
        String key = recipe.keyOf(source, content);
        HeaderList.Places places =
                new HeaderList.Places(source.folder(), recipe.settings().project());
        // Another process that holds the lock compiles the same source, or one whose key has the same file.
        Duration patience = session.cap(recipe.settings().limit().multipliedBy(2));
        KeyLock lock = cache.lock(key, patience)
                .orElseThrow(() -> new CompileException("another process has held " + cache.lockFile(key) + " for "
                        + patience.toMillis() + " ms, which is twice " + ConfigKey.COMPILE_TIMEOUT.key() + "."));
        try (lock) {
            Optional<Path> cached = cache.find(key, source, places);
            Path library = cached.isPresent() ? cached.get() : compile(key, content, places);
            return new KernelResult.Ready(source, library, cached.isEmpty(), System.nanoTime() - begin);
        }
    }

    private Path compile(String key, byte[] content, HeaderList.Places places)
            throws IOException, CompileException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Path scratch = cache.scratch(key);
            try {
                long begin = System.currentTimeMillis();
                HeaderList headers = compile(scratch);
                Optional<String> digest = headers.digest(key, places);
                // What was compiled must be what the key stands for.
                if (digest.isPresent()
                        && Arrays.equals(content, Files.readAllBytes(source.file()))
                        && !headers.changedSince(begin, places)) {
                    return cache.publish(key, digest.get(), source, headers, scratch);
                }
            } finally {
                KernelCache.remove(scratch);
            }
        }
        throw new CompileException("the source or one of its headers was changed during each of " + ATTEMPTS
                + " attempts. Run the tests again when it is complete.");
    }

    private HeaderList compile(Path scratch) throws IOException, CompileException, InterruptedException {
        Path library = scratch.resolve(KernelCache.libraryOf(source));
        Path depfile = scratch.resolve("headers.d");
        Duration limit = session.cap(recipe.settings().limit());
        long deadline = System.nanoTime() + limit.toNanos();
        String shown = "";
        for (List<String> command : recipe.commands(source, library, depfile)) {
            shown = run(command, scratch, limit, deadline);
        }
        if (!Files.exists(library)) {
            throw new CompileException("the compiler ended without an error but wrote no library." + shown);
        }
        if (!Files.exists(depfile)) {
            throw new CompileException(
                    "the compiler does not report which headers it read (-MMD). Name GCC or Clang in "
                            + ConfigKey.CXX.key() + "." + shown);
        }
        return HeaderList.ofDepfile(
                Files.readString(depfile), source, recipe.headers().folder());
    }

    /** Run a command, and return it as a line for messages. */
    private String run(List<String> command, Path scratch, Duration limit, long deadline)
            throws IOException, CompileException, InterruptedException {
        Tool.Result result = Tool.run(command, recipe.settings().project(), scratch.resolve("log"), deadline);
        String shown = "\n  the command: " + Limits.cut(String.join(" ", command), MAX_CHARS_OF_COMMAND);
        if (result.exit().isEmpty()) {
            throw new CompileException((session.isOver()
                            ? session.describe()
                            : "the compiler did not end within " + limit.toMillis() + " ms ("
                                    + ConfigKey.COMPILE_TIMEOUT.key() + ") and was ended")
                    + shown);
        } else if (!result.isFine()) {
            throw new CompileException("the compiler ended with exit code "
                    + result.exit().getAsInt() + "\n"
                    + Diagnostics.of(recipe.paths().in(result.output(), source)) + shown);
        }
        return shown;
    }
}
