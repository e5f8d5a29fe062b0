/**
 * Whether a device works: what is held against it, and how it is probed.
 */
@NullMarked
package org.rankunit.pool.health;

import org.jspecify.annotations.NullMarked;
