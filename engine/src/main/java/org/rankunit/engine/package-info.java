/** The engine's face to the JUnit Platform; puts the rooms together. */
@NullMarked
package org.rankunit.engine;

import org.jspecify.annotations.NullMarked;
