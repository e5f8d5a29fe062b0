/** Devices, their memory and their kernels. */
@NullMarked
package org.rankunit.device;

import org.jspecify.annotations.NullMarked;
