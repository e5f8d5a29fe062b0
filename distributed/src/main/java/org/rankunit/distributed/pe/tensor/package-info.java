/** Tensors whose parts lie at the processing elements. */
@NullMarked
package org.rankunit.distributed.pe.tensor;

import org.jspecify.annotations.NullMarked;
