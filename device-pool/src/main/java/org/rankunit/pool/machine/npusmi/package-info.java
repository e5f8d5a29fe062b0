/**
 * The tables that {@code npu-smi} prints. Internal.
 *
 * <p>Uses no other package of the pool.
 */
@NullMarked
package org.rankunit.pool.machine.npusmi;

import org.jspecify.annotations.NullMarked;
