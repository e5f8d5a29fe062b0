/**
 * The queue of each platform, shared by all processes: which requests wait, which may start, and on which devices.
 */
@NullMarked
package org.rankunit.pool.queue;

import org.jspecify.annotations.NullMarked;
