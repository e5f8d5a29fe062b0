package org.rankunit.engine.control;

/** Summary of one golden check on one rank; see {@code GoldenSummary}. */
public record GoldenCheck(
        String name,
        String type,
        int count,
        int mismatches,
        double maxAbsolute,
        int maxAbsoluteIndex,
        double maxRelative,
        int maxRelativeIndex,
        double rtol,
        double atol) {}
