/** Makes one JUnit result of the outcomes of all ranks. */
@NullMarked
package org.rankunit.engine.merge;

import org.jspecify.annotations.NullMarked;
