/** What runs in a rank JVM: the bring-up, and Jupiter. */
@NullMarked
package org.rankunit.engine.rank;

import org.jspecify.annotations.NullMarked;
