@NullMarked
package org.rankunit.collective.run;

import org.jspecify.annotations.NullMarked;
