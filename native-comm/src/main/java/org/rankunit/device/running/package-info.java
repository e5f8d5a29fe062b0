/**
 * Which kernels run in a process, in a file that others read while it lives and after it has ended.
 *
 * <p>Start at {@link org.rankunit.device.running.RunningKernels}. Uses no other package.
 */
@NullMarked
package org.rankunit.device.running;

import org.jspecify.annotations.NullMarked;
