/** The user's cache of compiled kernels: its keys, locks, entries, and the headers that they depend on. */
@NullMarked
package org.rankunit.engine.compile.cache;

import org.jspecify.annotations.NullMarked;
