/** Verifies an algorithm for many calls, chosen so that every two values of their parameters meet. */
@NullMarked
package org.rankunit.collective.verify.sweep;

import org.jspecify.annotations.NullMarked;
