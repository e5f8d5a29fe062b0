@NullMarked
package org.rankunit.device;

import org.jspecify.annotations.NullMarked;
