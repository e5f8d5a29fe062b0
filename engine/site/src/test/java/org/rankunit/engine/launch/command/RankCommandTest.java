package org.rankunit.engine.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class RankCommandTest {

    private static final Map<Path, Path> COPIES =
            Map.of(Path.of("/out/1/native"), Path.of("/tmp/n"), Path.of("/m2/agent.jar"), Path.of("/tmp/3-agent.jar"));

    @ParameterizedTest
    @CsvSource({
        "-Djna.boot.library.path=/out/1/native, -Djna.boot.library.path=/tmp/n",
        "-Dx=/out/1/native/libx.so:/other, -Dx=/tmp/n/libx.so:/other",
        "-Dx=/other:/out/1/native, -Dx=/other:/tmp/n",
        "-javaagent:/m2/agent.jar=destfile=/out/x, -javaagent:/tmp/3-agent.jar=destfile=/out/x",
        "-Dx=/out/1/natives, -Dx=/out/1/natives",
        "-Dx=/else/out/1/native, -Dx=/else/out/1/native",
        "-Xmx1g, -Xmx1g"
    })
    void anArgumentThatNamesACopiedFileNamesTheCopy(String argument, String expected) {
        assertThat(RankCommand.moved(argument, COPIES)).isEqualTo(expected);
    }

    @Test
    void anArgumentFileQuotesTheClassPath() {
        assertThat(RankCommand.argumentsFor(List.of(Path.of("/a b/x.jar"), Path.of("/c\"d"))))
                .isEqualTo("-cp\n\"/a b/x.jar:/c\\\"d\"\n");
    }
}
