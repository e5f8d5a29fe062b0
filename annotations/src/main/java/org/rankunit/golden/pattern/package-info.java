/**
 * The search for a pattern that explains all elements that differ. Internal: no part of the API.
 *
 * <p>Of the goldens' packages it uses {@code mismatch} and {@code compare}.
 */
@NullMarked
package org.rankunit.golden.pattern;

import org.jspecify.annotations.NullMarked;
