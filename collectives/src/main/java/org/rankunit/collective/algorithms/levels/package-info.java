/** Data goes inside servers and between them in steps of their own. */
@NullMarked
package org.rankunit.collective.algorithms.levels;

import org.jspecify.annotations.NullMarked;
