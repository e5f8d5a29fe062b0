/** The engine's entry points for the JUnit Platform; connects the other packages. */
@NullMarked
package org.rankunit.engine;

import org.jspecify.annotations.NullMarked;
