package org.rankunit.collective.verify;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.collective.CollectiveAlgorithm;

/** Goes on where {@link SymmetryTest} ends. */
@Tag("ranks")
class SymmetryOfManyRanksTest {

    private static final int LARGEST = 33;

    static List<CollectiveAlgorithm> symmetricAlgorithms() {
        return SymmetryTest.symmetricAlgorithms();
    }

    @ParameterizedTest
    @MethodSource("symmetricAlgorithms")
    void oneRankProvesWhatARunOfAllManyProves(CollectiveAlgorithm algorithm) {
        SymmetryTest.compareProofs(algorithm, SymmetryTest.FEW + 1, LARGEST);
    }
}
