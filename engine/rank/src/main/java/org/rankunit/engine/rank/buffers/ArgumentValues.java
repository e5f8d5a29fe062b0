package org.rankunit.engine.rank.buffers;

import java.util.Arrays;
import java.util.List;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.protocol.ArgumentDeclaration;
import org.rankunit.engine.protocol.ArgumentDeclaration.Token;
import org.rankunit.graph.TaskArgument;

/** What the declared arguments of a test are on this rank. Stateless. */
final class ArgumentValues {

    private ArgumentValues() {}

    static List<TaskArgument> of(List<ArgumentDeclaration> declared, RankContext rank) {
        return declared.stream().map(argument -> of(argument, rank)).toList();
    }

    private static TaskArgument of(ArgumentDeclaration argument, RankContext rank) {
        return Arrays.stream(Token.values())
                .filter(token -> token.text().equals(argument.name()))
                .findFirst()
                .map(token -> TaskArgument.scalar(valueOf(token, rank)))
                .orElseGet(() -> {
                    RankBuffer buffer = rank.buffer(argument.name());
                    return new TaskArgument(argument.use(), buffer.address(), buffer.byteSize());
                });
    }

    private static long valueOf(Token token, RankContext rank) {
        return switch (token) {
            case NRANKS -> rank.worldSize();
            case ROOT -> root(rank);
            case DEVICE_CONTEXT -> rank.communicator().deviceContext();
        };
    }

    private static int root(RankContext rank) {
        int root = rank.intParameter(Token.ROOT.text(), 0);
        if (root < 0 || root >= rank.worldSize()) {
            throw new IllegalArgumentException(ConfigKey.PARAMETER_PREFIX + Token.ROOT.text() + " = " + root
                    + " is not a rank; ranks are in [0, " + rank.worldSize() + ")");
        }
        return root;
    }
}
