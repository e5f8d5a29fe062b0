package org.rankunit.engine.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.launch.PlayedProcess;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankPlace;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.RecordCodec;

@Tag("ranks")
class HelloCheckTest {

    private static final String TOKEN = "0123456789abcdef";

    private List<RankLink> links;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        links = List.of(link(0, folder), link(1, folder));
    }

    @AfterEach
    void end() {
        links.forEach(link -> link.process().kill());
    }

    @Test
    void aRankOfTheGroupIsNotRefused() {
        assertThat(whyRefused(hello(1, TOKEN))).isEmpty();
        assertThat(whyRefused(new FromRank.Hello(
                        Channel.PROTOCOL, 0, TOKEN, new RankPlace("node1", 0, 0, 0, "counted", "1.0", 4711))))
                .isEmpty();
    }

    @Test
    void whoeverSaysNothingIsRefused() {
        assertThat(whyRefused(null)).contains("it ended without a message");
    }

    @Test
    void whoeverBeginsWithAnotherMessageIsRefused() {
        assertThat(whyRefused(new FromRank.Begun())).contains("it did not present itself as a rank of this group");
    }

    @Test
    void anotherVersionOfTheProtocolIsRefusedWithBothNumbersWhateverTheTokenIs() {
        FromRank newer = new FromRank.Hello(Channel.PROTOCOL + 1, 0, "of another format");

        assertThat(whyRefused(newer))
                .contains("it speaks version " + (Channel.PROTOCOL + 1)
                        + " of the protocol, but this process speaks version " + Channel.PROTOCOL
                        + ": it runs another version of RankUnit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF", "\u00e4"})
    void anotherTokenIsRefusedAndNotRepeated(String token) {
        assertThat(whyRefused(hello(0, token))).contains("its token is not that of this group");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void aRankThatTheGroupDoesNotHaveIsRefused(int rank) {
        assertThat(whyRefused(hello(rank, TOKEN))).contains("it says that it is rank " + rank + " of 2");
    }

    @Test
    void aRankConnectsOnceAlsoIfItHasHungUpSince() throws IOException {
        try (Channel channel = new Channel(SocketChannel.open(), new RecordCodec())) {
            links.get(1).channel(channel);
            assertThat(whyRefused(hello(1, TOKEN))).contains("rank 1 has connected before");
            links.get(1).channel(null);
        }

        assertThat(whyRefused(hello(1, TOKEN))).contains("rank 1 has connected before");
        assertThat(whyRefused(hello(0, TOKEN))).isEmpty();
    }

    private Optional<String> whyRefused(@Nullable FromRank first) {
        return HelloCheck.whyRefused(first, TOKEN, links);
    }

    private static FromRank hello(int rank, String token) {
        return new FromRank.Hello(Channel.PROTOCOL, rank, token);
    }

    private static RankLink link(int rank, Path folder) throws IOException {
        return new RankLink(new PlayedProcess(rank, DeviceRef.here(rank), folder, PlayedProcess.News.NEVER));
    }
}
