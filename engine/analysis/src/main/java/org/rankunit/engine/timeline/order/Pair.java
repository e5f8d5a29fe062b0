package org.rankunit.engine.timeline.order;

/** Two things, the first of which happened before the second. */
public record Pair(Node before, Node after) {}
