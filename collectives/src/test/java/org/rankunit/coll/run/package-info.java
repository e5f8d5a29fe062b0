@NullMarked
package org.rankunit.coll.run;

import org.jspecify.annotations.NullMarked;
