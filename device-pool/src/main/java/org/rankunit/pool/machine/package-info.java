/**
 * Which devices this machine has and which of them this process may use, found out without touching any of them.
 *
 * <p>Start at {@link org.rankunit.pool.machine.Machine}. This package has never been tested on a machine with NPUs:
 * formats and rules are taken from public documentation, see {@code docs/inventory.md}.
 */
@NullMarked
package org.rankunit.pool.machine;

import org.jspecify.annotations.NullMarked;
