@NullMarked
package org.rankunit.comm.jna.load;

import org.jspecify.annotations.NullMarked;
