/** Checks of the machine itself: system, memory, limits, folders and file systems. */
@NullMarked
package org.rankunit.cli.doctor.machine;

import org.jspecify.annotations.NullMarked;
