/**
 * What devices this machine has and which of them this process may use, told without touching any of them.
 *
 * <p>Start at {@link org.rankunit.pool.machine.Machine}. Nothing here was ever tried on a machine with NPUs: formats and
 * rules are taken from public documentation, as {@code docs/inventory.md} says.
 */
@NullMarked
package org.rankunit.pool.machine;

import org.jspecify.annotations.NullMarked;
