/** What a device test declares of its kernels. */
@NullMarked
package org.rankunit.kernel;

import org.jspecify.annotations.NullMarked;
