/**
 * The comparison of two arrays, and the numbers in its messages. Internal: no part of the API.
 *
 * <p>Uses no other package of the goldens.
 */
@NullMarked
package org.rankunit.golden.compare;

import org.jspecify.annotations.NullMarked;
