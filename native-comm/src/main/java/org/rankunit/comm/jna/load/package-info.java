/** How a native library is found and loaded on this machine. Internal. */
@NullMarked
package org.rankunit.comm.jna.load;

import org.jspecify.annotations.NullMarked;
