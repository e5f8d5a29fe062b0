/** What is found wrong with a schedule. */
@NullMarked
package org.rankunit.collective.verify.finding;

import org.jspecify.annotations.NullMarked;
