@NullMarked
package org.rankunit.coll.call;

import org.jspecify.annotations.NullMarked;
