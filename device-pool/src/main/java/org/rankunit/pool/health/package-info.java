/**
 * The health of devices: how it is recorded, and how a device is probed.
 */
@NullMarked
package org.rankunit.pool.health;

import org.jspecify.annotations.NullMarked;
