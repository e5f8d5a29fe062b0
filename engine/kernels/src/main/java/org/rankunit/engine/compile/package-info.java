/** Compiles kernels from source, in parallel and from a cache, before any device is leased. */
@NullMarked
package org.rankunit.engine.compile;

import org.jspecify.annotations.NullMarked;
