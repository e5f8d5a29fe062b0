/**
 * The queue of each platform, which all processes share: who waits, who may begin, and on which devices.
 */
@NullMarked
package org.rankunit.pool.queue;

import org.jspecify.annotations.NullMarked;
