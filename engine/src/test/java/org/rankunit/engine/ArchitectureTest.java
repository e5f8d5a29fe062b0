package org.rankunit.engine;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.engine.protocol.UserCode;

/** Holds the rooms within modules, and what modules use of each other. What a module may not use at all, its pom leaves out. */
@Tag("unit")
class ArchitectureTest {

    private static final String[] ANNOTATIONS = {"org.rankunit", "org.rankunit.golden..", "org.rankunit.internal.."};
    private static final String[] POOL = {"org.rankunit.pool.."};
    private static final String[] NATIVE = {
        "org.rankunit.comm..", "org.rankunit.compare", "org.rankunit.device..", "org.rankunit.graph"
    };
    private static final String[] COLLECTIVES = {"org.rankunit.collective.."};
    private static final String[] DISTRIBUTED = {"org.rankunit.distributed.."};
    private static final String ENGINE = "org.rankunit.engine..";

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            // Libraries of others under other names, where a jar of ours is on the class path.
            .withImportOption(location -> !location.contains("/shaded/"))
            .importPackages("org.rankunit");

    @ParameterizedTest
    @ValueSource(
            classes = {
                org.rankunit.RankContext.class,
                org.rankunit.golden.Golden.class,
                org.rankunit.pool.DevicePool.class,
                org.rankunit.comm.Communicator.class,
                org.rankunit.comm.jna.CommLibrary.class,
                org.rankunit.device.Device.class,
                org.rankunit.collective.CollectiveAlgorithm.class,
                org.rankunit.distributed.ProcessGroup.class,
                RankUnitEngine.class
            })
    void theRulesSeeTheClassesOfEveryModule(Class<?> type) {
        assertThat(HOUSE.contain(type)).isTrue();
    }

    /** Each room of the pool uses those after it; {@code machine} and the inventory know no leases. */
    @ParameterizedTest
    @ValueSource(strings = {"pool.queue", "pool.health", "pool.lock", "pool.inventory"})
    void roomsOfThePoolUseEachOtherOneWay(String room) {
        List<String> stream = List.of("pool", "pool.queue", "pool.health", "pool.lock", "pool.inventory");
        String[] upstream = stream.subList(0, stream.indexOf(room)).stream()
                .map(each -> "org.rankunit." + each)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("org.rankunit." + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(concat(upstream, new String[] {"org.rankunit.pool.machine.."}))
                .check(HOUSE);
    }

    @Test
    void theMachineIsSeenWithoutAnyLease() {
        noClasses()
                .that()
                .resideInAPackage("org.rankunit.pool.machine..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(POOL)
                        .and(not(resideInAnyPackage("org.rankunit.pool.machine..", "org.rankunit.pool.inventory"))))
                .check(HOUSE);
    }

    @Test
    void annotationsUseOnlyThePublicTypesOfNativeComm() {
        noClasses()
                .that()
                .resideInAnyPackage(ANNOTATIONS)
                .should()
                .dependOnClassesThat(resideInAPackage("org.rankunit..")
                        .and(not(resideInAnyPackage(ANNOTATIONS)))
                        .and(not(resideInAnyPackage(
                                        "org.rankunit.comm",
                                        "org.rankunit.compare",
                                        "org.rankunit.device",
                                        "org.rankunit.graph")
                                .and(publicTypes()))))
                .check(HOUSE);
    }

    @Test
    void collectivesUseOnlyThePublicTypesOfLowerModules() {
        noClasses()
                .that()
                .resideInAnyPackage(COLLECTIVES)
                .should()
                .dependOnClassesThat(resideInAPackage("org.rankunit..")
                        .and(not(resideInAnyPackage(COLLECTIVES)))
                        .and(not(resideInAnyPackage("org.rankunit", "org.rankunit.comm", "org.rankunit.device")
                                .and(publicTypes()))))
                .check(HOUSE);
    }

    @Test
    void distributedUsesOnlyThePublicTypesOfLowerModules() {
        noClasses()
                .that()
                .resideInAnyPackage(DISTRIBUTED)
                .should()
                .dependOnClassesThat(resideInAPackage("org.rankunit..")
                        .and(not(resideInAnyPackage(DISTRIBUTED)))
                        .and(not(resideInAnyPackage(
                                        "org.rankunit",
                                        "org.rankunit.collective",
                                        "org.rankunit.collective.call",
                                        "org.rankunit.collective.run",
                                        "org.rankunit.collective.select",
                                        "org.rankunit.collective.yaml",
                                        "org.rankunit.comm",
                                        "org.rankunit.device")
                                .and(publicTypes()))))
                .check(HOUSE);
    }

    /** The engine and what is below it know nothing of process groups. */
    @Test
    void nobodyUsesDistributed() {
        noClasses()
                .that()
                .resideOutsideOfPackages(DISTRIBUTED)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(DISTRIBUTED)
                .check(HOUSE);
    }

    /** Each room of the processing elements uses those before it; algorithms use only what their authors may. */
    @ParameterizedTest
    @ValueSource(strings = {"pe", "pe.machine", "pe.tensor", "pe.run", "pe.config", "pe.algorithms"})
    void roomsOfProcessingElementsUseEachOtherOneWay(String room) {
        List<String> stream = List.of("pe", "pe.machine", "pe.tensor", "pe.run", "pe.config");
        List<String> below =
                room.equals("pe.algorithms") ? List.of("pe", room) : stream.subList(0, stream.indexOf(room) + 1);
        noClasses()
                .that()
                .resideInAPackage("org.rankunit.distributed." + room)
                .should()
                .dependOnClassesThat(resideInAnyPackage(DISTRIBUTED)
                        .and(not(resideInAnyPackage(below.stream()
                                .map(each -> "org.rankunit.distributed." + each)
                                .toArray(String[]::new)))))
                .check(HOUSE);
    }

    @Test
    void yamlIsReadInItsOwnRoomAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.rankunit.collective.yaml")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson.dataformat..", "org.yaml..")
                .check(HOUSE);
    }

    /** What takes a schedule knows nothing of what else does, nor of the algorithms that made it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "inner",
                "algorithms",
                "verify",
                "simulate",
                "run",
                "select",
                "operators",
                "exchange",
                "picture",
                "assertions",
                "bench"
            })
    void roomsOfCollectivesUseEachOtherOneWay(String room) {
        Map<String, List<String>> several = Map.of(
                "assertions", List.of("assertions", "verify"),
                "bench", List.of("bench", "run"),
                "exchange", List.of("exchange", "simulate"),
                "operators", List.of("operators", "run", "select"),
                "picture", List.of("picture", "simulate", "verify"),
                "select", List.of("select", "algorithms", "simulate", "yaml"),
                "simulate", List.of("simulate", "yaml"));
        List<String> below = several.getOrDefault(room, List.of(room));
        noClasses()
                .that()
                .resideInAPackage("org.rankunit.collective." + room + "..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.rankunit.collective..")
                        .and(not(resideInAnyPackage(
                                "org.rankunit.collective",
                                "org.rankunit.collective.call",
                                "org.rankunit.collective.inner",
                                "org.rankunit.collective.schedule")))
                        .and(not(resideInAnyPackage(below.stream()
                                .map(each -> "org.rankunit.collective." + each + "..")
                                .toArray(String[]::new)))))
                .check(HOUSE);
    }

    @Test
    void theLowestFloorKnowsNothingOfJUnit() {
        noClasses()
                .that()
                .resideInAnyPackage(concat(NATIVE, POOL))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..", "org.opentest4j..")
                .check(HOUSE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "discovery",
                "plan",
                "prepare",
                "schedule",
                "launch",
                "model",
                "link",
                "hang",
                "lockstep",
                "group",
                "merge"
            })
    void noRoomReachesBackUpTheStream(String room) {
        List<String> stream = List.of(
                "discovery",
                "plan",
                "compile",
                "prepare",
                "schedule",
                "launch",
                "model",
                "link",
                "hang",
                "lockstep",
                "group",
                "merge",
                "report");
        noClasses()
                .that()
                .resideInAPackage(room(room))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(rooms(stream.subList(stream.indexOf(room) + 1, stream.size())))
                .check(HOUSE);
    }

    /** Ranks may run on other machines, where a process id of this one means nothing. */
    @Test
    void onlyTheLauncherOfThisMachineKnowsTheProcessesOfRanks() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.rankunit.engine",
                        room("discovery"),
                        room("plan"),
                        room("prepare"),
                        room("schedule"),
                        "org.rankunit.engine.launch",
                        room("link"),
                        room("hang"),
                        room("lockstep"),
                        room("group"),
                        room("merge"))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Process.class,
                        ProcessBuilder.class,
                        ProcessBuilder.Redirect.class,
                        ProcessHandle.class,
                        ProcessHandle.Info.class)
                .check(HOUSE);
    }

    @Test
    void onlyTheRootChoosesALauncher() {
        noClasses()
                .that()
                .resideOutsideOfPackages("org.rankunit.engine", room("launch.local"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(room("launch.local"))
                .check(HOUSE);
    }

    @Test
    void theJobOfARunKnowsNothingOfItsGroups() {
        noClasses()
                .that()
                .resideInAPackage(room("slurm.job"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(room("slurm.lease"), room("slurm.step"))
                .check(HOUSE);
        noClasses()
                .that()
                .resideInAPackage(room("slurm.lease"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(room("slurm.step"))
                .check(HOUSE);
    }

    /** {@link UserCode} lists our packages by full name; a frame of ours that it takes for the user's hides the user's line. */
    @Test
    void whatARankRunsOfOursIsNotTakenForUserCode() {
        classes()
                .that(resideOutsideOfPackages(concat(POOL, new String[] {ENGINE}))
                        .or(resideInAnyPackage(room("rank"), room("protocol"))))
                .should(notBeUserCode())
                .check(HOUSE);
    }

    @Test
    void whatIsWatchedKnowsNothingOfIt() {
        noClasses()
                .that()
                .resideOutsideOfPackages("org.rankunit.engine", room("watch"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(room("watch"))
                .check(HOUSE);
    }

    @Test
    void onlyTheRootPutsTheRoomsTogether() {
        noClasses()
                .that()
                .resideInAPackage("org.rankunit.engine.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rankunit.engine")
                .check(HOUSE);
    }

    /** An author imports them all from one place. */
    @Test
    void annotationsOfTestsAreInTheRoot() {
        classes()
                .that()
                .areAnnotations()
                .and()
                .arePublic()
                .should()
                .resideInAPackage("org.rankunit")
                .check(HOUSE);
    }

    @Test
    void everyPublicTypeThatUsersCanReachSaysHowStableItIs() {
        classes()
                .that()
                .resideInAnyPackage(
                        "org.rankunit",
                        "org.rankunit.golden..",
                        "org.rankunit.internal..",
                        "org.rankunit.pool..",
                        "org.rankunit.comm",
                        "org.rankunit.comm.recorder",
                        "org.rankunit.comm.trial",
                        "org.rankunit.compare",
                        "org.rankunit.device..",
                        "org.rankunit.graph",
                        "org.rankunit.engine")
                .and()
                .arePublic()
                .and()
                .areTopLevelClasses()
                .should()
                .beAnnotatedWith(API.class)
                .check(HOUSE);
    }

    @Test
    void theEnginesPublicClassesAreNotExtendedElsewhere() {
        classes()
                .that()
                .resideInAPackage(ENGINE)
                .and()
                .arePublic()
                .and()
                .areNotInterfaces()
                .should(beFinal())
                .check(HOUSE);
    }

    private static com.tngtech.archunit.base.DescribedPredicate<JavaClass> publicTypes() {
        return com.tngtech.archunit.base.DescribedPredicate.describe(
                "are public", type -> type.getModifiers().contains(JavaModifier.PUBLIC));
    }

    /** An enum whose constants have bodies is not final, and cannot be extended either. */
    private static ArchCondition<JavaClass> beFinal() {
        return new ArchCondition<>("be final") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean closed = type.getModifiers().contains(JavaModifier.FINAL) || type.isEnum();
                events.add(new SimpleConditionEvent(type, closed, type.getName() + " can be extended"));
            }
        };
    }

    private static ArchCondition<JavaClass> notBeUserCode() {
        return new ArchCondition<>("not be taken for user code") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean ours = !UserCode.includes(type.getName());
                events.add(new SimpleConditionEvent(type, ours, type.getName() + " counts as user code"));
            }
        };
    }

    private static String room(String name) {
        return "org.rankunit.engine." + name + "..";
    }

    private static String[] rooms(List<String> names) {
        return names.stream().map(ArchitectureTest::room).toArray(String[]::new);
    }

    private static String[] concat(String[] a, String[] b) {
        return Stream.concat(Arrays.stream(a), Arrays.stream(b)).toArray(String[]::new);
    }
}
