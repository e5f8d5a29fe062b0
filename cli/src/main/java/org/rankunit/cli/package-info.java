/** The command line: who holds which device, the health of the devices, and whether this machine can run tests. */
@NullMarked
package org.rankunit.cli;

import org.jspecify.annotations.NullMarked;
