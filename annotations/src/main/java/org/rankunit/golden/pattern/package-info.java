/**
 * The elements that differ, and the search for a pattern that explains all of them. Internal: no part of the API.
 *
 * <p>Of the goldens' packages it uses {@code compare} alone.
 */
@NullMarked
package org.rankunit.golden.pattern;

import org.jspecify.annotations.NullMarked;
