package org.rankunit.engine.slurm.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class SallocTest {

    @Test
    void aJobHasItsNameAndWhatTheUserAsksForAndOneTaskForEachDevice() {
        assertThat(command("npu", "-N2 --gres=npu:8"))
                .containsExactly(
                        "salloc",
                        "--no-shell",
                        "--no-kill",
                        "--job-name=rankunit-1",
                        "-N2",
                        "--gres=npu:8",
                        "--ntasks-per-node=8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n4",
                "-n 4",
                "-c2",
                "-c 2",
                "--ntasks=4",
                "--ntasks 4",
                "--ntasks-per-node=2",
                "--ntasks-per-socket=2",
                "--tasks-per-node=2",
                "--cpus-per-task=2",
                "--cpus-per-gpu=4",
                "--mincpus=16",
                "--exclusive",
                "--exclusive=user"
            })
    void whoeverSpeaksOfTasksOrProcessorsGetsWhatTheySay(String said) {
        List<String> command = command("npu", "-N2 --gres=npu:8 " + said);

        assertThat(command.subList(4, command.size())).isEqualTo(words("-N2 --gres=npu:8 " + said));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-N2", "--nodes=2", "--no-requeue", "--contiguous", "--constraint=ascend", "-C x", "--time=5"})
    void whatSaysNothingOfTasksOrProcessorsChangesNothing(String said) {
        assertThat(command("npu", "--gres=npu:8 " + said)).endsWith("--ntasks-per-node=8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "npu            | --gres=npu:8                              | 8",
                "npu            | --gres npu:8                              | 8",
                "npu            | --gres=gres:npu:8                         | 8",
                "npu            | --gres=license:2,npu:4                    | 4",
                "npu            | --gres=npu:4,license:2                    | 4",
                "npu            | --gres=gpu:npu:3                          | ''",
                "npu            | --gres=xnpu:3,npu2:5                      | ''",
                "npu            | -N2                                       | ''",
                "npu            | --gres=none                               | ''",
                "gpu:ascend910b | --gres=gpu:ascend910b:4                   | 4",
                "gpu:ascend910b | --gres=gpu:ascend310:1,gpu:ascend910b:4   | 4",
                "gpu:ascend910b | --gres=gpu:ascend310:1                    | ''",
                "gpu:910B3      | --gres=gpu:910B3:2                        | 2",
                "gpu            | --gres=gpu:ascend910b:4                   | 4",
                "gpu            | --gres=gpu:2                              | 2",
                "gpu            | --gres=gpu:ascend310:1,gpu:ascend910b:4   | 5",
            })
    void theDevicesOfANodeAreThoseOfTheResource(String gres, String arguments, String tasks) {
        List<String> command = command(gres, arguments);

        assertThat(command)
                .filteredOn(word -> word.startsWith("--ntasks-per-node"))
                .isEqualTo(tasks.isEmpty() ? List.of() : List.of("--ntasks-per-node=" + tasks));
    }

    @Test
    void noTwoJobsHaveTheSameName() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            names.add(Salloc.randomName());
        }

        assertThat(names).hasSize(100).allMatch(name -> name.matches("rankunit-[0-9a-f]{12}"));
    }

    private static List<String> command(String gres, String arguments) {
        return Salloc.command("rankunit-1", words(arguments), GresName.parse(gres));
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split(" "));
    }
}
