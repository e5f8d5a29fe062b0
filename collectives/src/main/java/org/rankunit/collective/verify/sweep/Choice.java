package org.rankunit.collective.verify.sweep;

import java.util.function.UnaryOperator;
import org.rankunit.collective.call.CollectiveCall;

/**
 * One value of a parameter of calls.
 *
 * @param label how people see it, the same for all numbers of ranks
 * @param applied gives a call this value
 */
record Choice(Parameter parameter, String label, UnaryOperator<CollectiveCall> applied) {

    /** The label of the one value of a parameter that the collective does not have. */
    static final String NONE = "none";
}
