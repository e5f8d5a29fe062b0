/**
 * The elements that differ, and where they are. Internal: no part of the API.
 *
 * <p>Of the goldens' packages it uses {@code compare} alone.
 */
@NullMarked
package org.rankunit.golden.mismatch;

import org.jspecify.annotations.NullMarked;
