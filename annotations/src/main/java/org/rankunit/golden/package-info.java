/** Goldens: the expected values of an output, their tolerance, and the message if the output does not match. */
@NullMarked
package org.rankunit.golden;

import org.jspecify.annotations.NullMarked;
