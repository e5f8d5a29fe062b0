package org.rankunit.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the command line may use of the engine. That nothing of it needs JUnit is tried with the finished jar. */
@Tag("unit")
class CommandLineRulesTest {

    @Test
    void commandsUseNoRoomThatKnowsOfTests() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("org.rankunit.engine..")
                        .and(not(resideInAnyPackage(
                                "org.rankunit.cli..",
                                "org.rankunit.engine.compile..",
                                "org.rankunit.engine.config..",
                                "org.rankunit.engine.protocol..",
                                "org.rankunit.engine.report..",
                                "org.rankunit.engine.schedule.."))))
                .check(new ClassFileImporter().importPath(Path.of("target", "classes")));
    }
}
