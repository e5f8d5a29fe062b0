/**
 * The devices of a platform, how they are grouped on the machine, and which of them a request gets.
 *
 * <p>Uses no other package of the pool.
 */
@NullMarked
package org.rankunit.pool.inventory;

import org.jspecify.annotations.NullMarked;
