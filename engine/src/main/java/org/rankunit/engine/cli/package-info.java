/** The command line: who holds which device, what is held against devices, and whether this machine is fit. */
@NullMarked
package org.rankunit.engine.cli;

import org.jspecify.annotations.NullMarked;
