/**
 * Proves schedules without a device: every schedule of an algorithm is run with symbols in place of data, and each access to memory
 * is compared with all others that nothing orders against it.
 */
@NullMarked
package org.rankunit.collective.verify;

import org.jspecify.annotations.NullMarked;
