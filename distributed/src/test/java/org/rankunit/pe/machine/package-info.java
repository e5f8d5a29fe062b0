@NullMarked
package org.rankunit.pe.machine;

import org.jspecify.annotations.NullMarked;
