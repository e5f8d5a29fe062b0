/** The rank context that a test gets: its buffers in the memory of the device, and its kernels. */
@NullMarked
package org.rankunit.engine.rank.buffers;

import org.jspecify.annotations.NullMarked;
