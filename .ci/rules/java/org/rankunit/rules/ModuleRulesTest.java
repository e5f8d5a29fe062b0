package org.rankunit.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds in every module. Compiled into the tests of each, and looks at the module's own classes. */
@Tag("unit")
class ModuleRulesTest {

    private static final Path CLASSES = Path.of("target", "classes", "org");

    private static final JavaClasses MODULE = module();

    private static JavaClasses module() {
        JavaClasses[] found = new JavaClasses[1];
        ArchConfiguration.withThreadLocalScope(configuration -> {
            // What the module uses of the class path is not looked into, and takes most of the time.
            configuration.setResolveMissingDependenciesFromClassPath(false);
            found[0] = new ClassFileImporter().importPath(CLASSES);
        });
        return found[0];
    }

    @BeforeEach
    void theModuleHasClasses() {
        assumeTrue(Files.isDirectory(CLASSES), "the samples are tests alone");
        assertThat(MODULE).isNotEmpty();
    }

    @Test
    void noPackagesUseEachOtherInACycle() {
        slices().matching("org.rankunit.(**)").should().beFreeOfCycles().check(MODULE);
    }

    /** A reader can take in this many at once; what outgrows it has parts that deserve a name. */
    @Test
    void noPackageHasMoreThanThirtyClasses() {
        Map<String, Long> sizes = MODULE.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(sizes).isNotEmpty();
        assertThat(sizes.entrySet()).filteredOn(each -> each.getValue() > 30).isEmpty();
    }

    @Test
    void nothingNeedsTheRootOfTheMachineToBeAMountPoint() {
        noClasses()
                .should()
                .callMethod(Files.class, "getFileStore", Path.class)
                .because("it fails in a chroot whose mounts are not listed; File.getUsableSpace asks the system itself")
                .check(MODULE);
    }

    @Test
    void jnaIsUsedInItsOwnPackageAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.rankunit.comm.jna..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna..")
                .check(MODULE);
    }

    /** What users and readers of the source read: messages and comments. */
    @Test
    void sourcesUseTheUsualWords() throws IOException {
        List<String> unusual = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
            for (Path file :
                    (Iterable<Path>) files.filter(each -> each.toString().matches(".*\\.(java|cpp|h)"))::iterator) {
                UsualWords.missedIn(Files.readString(file)).forEach(found -> unusual.add(file + ": " + found));
            }
        }
        assertThat(unusual).isEmpty();
    }
}
