/** The sources of kernels, and where they lie. */
@NullMarked
package org.rankunit.engine.compile.source;

import org.jspecify.annotations.NullMarked;
