package org.rankunit.engine.shake;

import java.util.Set;
import java.util.SortedMap;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.TestDeclaration.Shake;

/**
 * A test that has ended and was shaken.
 *
 * @param uniqueId its id in the ranks, which is the same for all its variants
 * @param name its name without the variant
 * @param variant its variant without the seed
 * @param ranks what each rank told of its decisions; a rank that could not is missing
 * @param released the ranks that another rank's failure ended, at a place that depends on time
 * @param failed whether the test failed
 */
public record ShakenTest(
        String uniqueId,
        String name,
        String variant,
        Shake shake,
        SortedMap<Integer, FromRank.Shaken> ranks,
        Set<Integer> released,
        boolean failed) {}
