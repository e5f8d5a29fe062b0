/** A package as an IDE runs it: one class with ordinary tests and device tests. */
@NullMarked
package org.rankunit.engine.cases.ide;

import org.jspecify.annotations.NullMarked;
