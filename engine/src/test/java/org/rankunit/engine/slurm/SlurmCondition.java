package org.rankunit.engine.slurm;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The condition of {@link RequiresSlurm}. */
final class SlurmCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return findAnnotation(context.getElement(), RequiresSlurm.class)
                .flatMap(SlurmCondition::whyNot)
                .map(reason -> disabled(reason))
                .orElseGet(() -> enabled("a Slurm cluster can be started"));
    }

    private static Optional<String> whyNot(RequiresSlurm needs) {
        return needs.inNamespaces() ? MiniSlurm.whyNotInNamespaces() : MiniSlurm.whyNot();
    }
}
