@NullMarked
package org.rankunit;

import org.jspecify.annotations.NullMarked;
