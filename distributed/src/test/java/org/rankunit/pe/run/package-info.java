@NullMarked
package org.rankunit.pe.run;

import org.jspecify.annotations.NullMarked;
