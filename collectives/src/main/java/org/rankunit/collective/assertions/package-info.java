/** Assertions for tests of algorithms. */
@NullMarked
package org.rankunit.collective.assertions;

import org.jspecify.annotations.NullMarked;
