/** The native libraries: how they are found, and what they export. Internal; the only package that uses JNA. */
@NullMarked
package org.rankunit.comm.jna;

import org.jspecify.annotations.NullMarked;
