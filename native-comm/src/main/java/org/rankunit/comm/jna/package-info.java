/** What the native libraries export. Internal; only this package and the one below it use JNA. */
@NullMarked
package org.rankunit.comm.jna;

import org.jspecify.annotations.NullMarked;
