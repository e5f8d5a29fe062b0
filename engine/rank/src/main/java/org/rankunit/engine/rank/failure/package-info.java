/** Turns what a test threw or checked into messages of limited size. */
@NullMarked
package org.rankunit.engine.rank.failure;

import org.jspecify.annotations.NullMarked;
