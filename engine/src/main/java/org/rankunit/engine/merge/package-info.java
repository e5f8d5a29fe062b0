/** Merges the outcomes of all ranks into one JUnit result. */
@NullMarked
package org.rankunit.engine.merge;

import org.jspecify.annotations.NullMarked;
