package org.rankunit.engine.merge;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attaches files to tests for listeners such as the Open Test Reporting of the platform.
 *
 * <p>Platforms before 1.12 have no such entries, so they are accessed by reflection; if they are missing nothing is attached.
 */
final class FileEntries {

    private static final String TYPE = "org.junit.platform.engine.reporting.FileEntry";

    private static final @Nullable MethodHandle PUBLISH = publish();

    private FileEntries() {}

    /** Attach text files. */
    static void attach(EngineExecutionListener listener, TestDescriptor test, List<Path> files) {
        MethodHandle publish = PUBLISH;
        if (publish == null) {
            return;
        }
        for (Path file : files) {
            try {
                publish.invoke(listener, test, file, "text/plain");
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                log().debug("Cannot attach {}", file, e);
            }
        }
    }

    /** The call {@code listener.fileEntryPublished(test, FileEntry.from(file, mediaType))}. */
    private static @Nullable MethodHandle publish() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> entry = Class.forName(TYPE, false, FileEntries.class.getClassLoader());
            MethodHandle from =
                    lookup.findStatic(entry, "from", MethodType.methodType(entry, Path.class, String.class));
            MethodHandle publish = lookup.findVirtual(
                    EngineExecutionListener.class,
                    "fileEntryPublished",
                    MethodType.methodType(void.class, TestDescriptor.class, entry));
            return MethodHandles.collectArguments(publish, 2, from);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Created only when there is something to log: without a provider, slf4j prints a warning at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(FileEntries.class);
    }
}
