package org.rankunit.comm;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Shared libraries that are built for the tests, from {@code src/test/cpp} and {@code src/test/c}. */
final class TestLibraries {

    private TestLibraries() {}

    static Path kernels() {
        return library("test_kernels");
    }

    static Path foreign(String kind) {
        return library("foreign_" + kind);
    }

    private static Path library(String name) {
        try {
            return Path.of(Objects.requireNonNull(TestLibraries.class.getResource("/lib" + name + ".so"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
