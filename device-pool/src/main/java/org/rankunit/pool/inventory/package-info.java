/**
 * The devices of a platform, how the machine puts them together, and which of them a request gets.
 *
 * <p>Uses no other room of the pool.
 */
@NullMarked
package org.rankunit.pool.inventory;

import org.jspecify.annotations.NullMarked;
