@NullMarked
package org.rankunit.distributed.pe.tensor;

import org.jspecify.annotations.NullMarked;
