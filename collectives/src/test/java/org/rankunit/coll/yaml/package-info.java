@NullMarked
package org.rankunit.coll.yaml;

import org.jspecify.annotations.NullMarked;
