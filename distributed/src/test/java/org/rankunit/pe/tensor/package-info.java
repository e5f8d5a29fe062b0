@NullMarked
package org.rankunit.pe.tensor;

import org.jspecify.annotations.NullMarked;
