/** What the rounds of a test have shown, over all ranks. */
@NullMarked
package org.rankunit.engine.merge.rounds;

import org.jspecify.annotations.NullMarked;
