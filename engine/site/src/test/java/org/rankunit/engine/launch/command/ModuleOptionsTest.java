package org.rankunit.engine.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class ModuleOptionsTest {

    @Test
    void pathsAreThoseOfTheModulePathAfterThoseThatPatchIt() {
        ModuleOptions options = ModuleOptions.of(
                List.of("--module-path=/app/classes:/lib/a.jar", "--patch-module=com.example.app=/app/test-classes"));

        assertThat(options.paths())
                .containsExactly(Path.of("/app/test-classes"), Path.of("/app/classes"), Path.of("/lib/a.jar"));
        assertThat(options.arguments()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--add-modules=com.example.app",
                "--add-modules=ALL-MODULE-PATH",
                "--limit-modules=com.example.app",
                "--add-opens=com.example.app/com.example=ALL-UNNAMED",
                "--add-exports=com.example.app/com.example=ALL-UNNAMED",
                "--add-reads=com.example.app=ALL-UNNAMED",
            })
    void whatIsSaidOfTheUsersModulesIsDropped(String argument) {
        assertThat(ModuleOptions.of(List.of(argument)).arguments()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--add-modules=jdk.httpserver",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=java.sql,ALL-UNNAMED",
                "--add-reads=java.base=java.sql",
                "--patch-module=java.base=/patched",
                "--enable-native-access=ALL-UNNAMED",
                "--enable-preview",
                "-Xmx1g",
                "-Dcom.example=--module-path=/nowhere",
            })
    void whatIsSaidOfJavasModulesStaysAndSoDoesEverythingElse(String argument) {
        ModuleOptions options = ModuleOptions.of(List.of(argument));

        assertThat(options.arguments()).containsExactly(argument);
        assertThat(options.paths()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--add-opens=java.base/java.lang=com.example.app; --add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=com.example.app,ALL-UNNAMED; --add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=com.example.app,com.example.lib; --enable-native-access=ALL-UNNAMED",
                "--add-modules=java.sql,com.example.app; --add-modules=java.sql",
            })
    void whatIsOpenToTheUsersModulesIsOpenToTheUnnamedOne(String given, String kept) {
        assertThat(ModuleOptions.of(List.of(given)).arguments()).containsExactly(kept);
    }
}
