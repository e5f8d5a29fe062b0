/** Task graphs: kernels with dependencies, which a device runs on its cores. */
@NullMarked
package org.rankunit.graph;

import org.jspecify.annotations.NullMarked;
