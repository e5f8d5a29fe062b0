/**
 * The files of a pool folder: locks, records, and who may use them. Locks belong to processes, so the kernel frees them.
 *
 * <p>Uses no other package of the pool.
 */
@NullMarked
package org.rankunit.pool.lock;

import org.jspecify.annotations.NullMarked;
