/** What is found wrong with a schedule. */
@NullMarked
package org.rankunit.coll.verify.finding;

import org.jspecify.annotations.NullMarked;
