package org.rankunit.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.rankunit.cli.OtherJvm.Said;

/**
 * Runs commands that need no options of the JVM, and whose own end is not what is tested, in one other JVM. It is started for the
 * first class that has this extension, and ends after the last test of this JVM.
 */
final class CommandsInOneJvm implements BeforeAllCallback {

    private @Nullable OtherJvm jvm;

    @Override
    public void beforeAll(ExtensionContext context) {
        jvm = context.getRoot()
                .getStore(Namespace.create(CommandsInOneJvm.class))
                .getOrComputeIfAbsent(Started.class, type -> Started.now(), Started.class)
                .jvm();
    }

    /** Run a command with these arguments. */
    Said run(String... arguments) throws Exception {
        return requireNonNull(jvm, "not registered as an extension").run(arguments);
    }

    private record Started(OtherJvm jvm) implements CloseableResource {

        static Started now() {
            try {
                return new Started(OtherJvm.ofManyCommands());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            jvm.close();
        }
    }
}
