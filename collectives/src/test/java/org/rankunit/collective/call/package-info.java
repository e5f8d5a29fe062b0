@NullMarked
package org.rankunit.collective.call;

import org.jspecify.annotations.NullMarked;
