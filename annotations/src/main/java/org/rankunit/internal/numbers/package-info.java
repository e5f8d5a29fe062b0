/**
 * Floating-point formats that Java lacks, and their shortest texts. Internal: no part of the API.
 *
 * <p>Uses no other package.
 */
@NullMarked
package org.rankunit.internal.numbers;

import org.jspecify.annotations.NullMarked;
