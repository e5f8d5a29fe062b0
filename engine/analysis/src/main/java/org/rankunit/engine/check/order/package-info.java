/** Which order of events a program itself makes, so that it holds in every run. */
@NullMarked
package org.rankunit.engine.check.order;

import org.jspecify.annotations.NullMarked;
