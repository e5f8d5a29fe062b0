/** What runs in a rank JVM: bring-up, and Jupiter. */
@NullMarked
package org.rankunit.engine.rank;

import org.jspecify.annotations.NullMarked;
