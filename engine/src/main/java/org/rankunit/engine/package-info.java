@NullMarked
package org.rankunit.engine;

import org.jspecify.annotations.NullMarked;
