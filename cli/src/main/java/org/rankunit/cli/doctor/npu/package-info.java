/** Checks of what ranks on NPUs need: driver, libraries, device nodes, addresses. */
@NullMarked
package org.rankunit.cli.doctor.npu;

import org.jspecify.annotations.NullMarked;
