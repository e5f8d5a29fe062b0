@NullMarked
package org.rankunit.pe;

import org.jspecify.annotations.NullMarked;
