package org.rankunit.engine.compile.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ShownPathsTest {

    @TempDir
    Path project;

    private Path file(String name) throws IOException {
        Path file = project.toRealPath().resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    @Test
    void aSourceOfTheProjectIsNamedRelativeToIt() throws IOException {
        Path source = file("src/test/kernels/aiv/scale.cpp");

        assertThat(new ShownPaths(project).of(source)).isEqualTo("src/test/kernels/aiv/scale.cpp");
    }

    @Test
    void aCopyIsNamedByWhatItIsACopyOf() throws IOException {
        file("src/test/resources/kernels/aiv/scale.cpp");
        Path copy = file("target/test-classes/kernels/aiv/scale.cpp");
        Path made = file("target/test-classes/kernels/aiv/made.cpp");
        KernelSource source =
                new KernelSource("scale", SourceKind.AIV, copy.resolve("../..").normalize());

        ShownPaths paths = new ShownPaths(project);
        assertThat(paths.of(copy)).isEqualTo("src/test/resources/kernels/aiv/scale.cpp");
        assertThat(paths.of(made)).isEqualTo("target/test-classes/kernels/aiv/made.cpp");
        assertThat(paths.in("In file included from " + copy + ":3:\n" + source.root() + "/common.h:7:1: error", source))
                .isEqualTo("In file included from src/test/resources/kernels/aiv/scale.cpp:3:\n"
                        + "src/test/resources/kernels/common.h:7:1: error");
        assertThat(paths.inDebugInformation(source)).isEqualTo("src/test/resources/kernels");
    }

    @Test
    void whatLiesElsewhereKeepsItsPath(@TempDir Path elsewhere) throws IOException {
        Path root = elsewhere.toRealPath().resolve("kernels");
        KernelSource source = new KernelSource("scale", SourceKind.AIV, root);

        ShownPaths paths = new ShownPaths(project);
        assertThat(paths.of(source.file())).isEqualTo(source.file().toString());
        assertThat(paths.inDebugInformation(source)).isEqualTo("kernels");
    }
}
