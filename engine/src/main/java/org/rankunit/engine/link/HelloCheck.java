package org.rankunit.engine.link;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.wire.Channel;

/** Decides whether a process that has connected is a rank of a group. Stateless. */
final class HelloCheck {

    private HelloCheck() {}

    /**
     * Why the first message of a connection is not that of a rank of this group; empty if it is.
     *
     * @param first {@code null} if the connection ended without a message
     */
    static Optional<String> whyRefused(@Nullable FromRank first, String token, List<RankLink> links) {
        if (!(first instanceof FromRank.Hello hello)) {
            return Optional.of(
                    first == null ? "it ended without a message" : "it did not present itself as a rank of this group");
        }
        if (hello.protocol() != Channel.PROTOCOL) {
            return Optional.of(
                    "it speaks version " + hello.protocol() + " of the protocol, but this process speaks version "
                            + Channel.PROTOCOL + ": it runs another version of RankUnit");
        }
        if (!isSame(hello.token(), token)) {
            return Optional.of("its token is not that of this group");
        }
        if (hello.rank() < 0 || hello.rank() >= links.size()) {
            return Optional.of("it says that it is rank " + hello.rank() + " of " + links.size());
        }
        return links.get(hello.rank()).hasJoined()
                ? Optional.of("rank " + hello.rank() + " has connected before")
                : Optional.empty();
    }

    /** Takes the same time wherever they differ. */
    private static boolean isSame(String given, String token) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
