/** Goldens: what an output must be, within which tolerance, and what to say when it is not. */
@NullMarked
package org.rankunit.golden;

import org.jspecify.annotations.NullMarked;
