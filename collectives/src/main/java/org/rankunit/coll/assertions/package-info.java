/** Assertions for tests of algorithms. */
@NullMarked
package org.rankunit.coll.assertions;

import org.jspecify.annotations.NullMarked;
