/** Runs kernels on processing elements, with queues between neighbours. */
@NullMarked
package org.rankunit.distributed.pe.run;

import org.jspecify.annotations.NullMarked;
