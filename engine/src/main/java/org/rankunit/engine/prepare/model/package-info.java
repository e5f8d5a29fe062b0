/** Computing golden models, in a JVM of their own: what it is asked, what it answers, and what a model uses. */
@NullMarked
package org.rankunit.engine.prepare.model;

import org.jspecify.annotations.NullMarked;
