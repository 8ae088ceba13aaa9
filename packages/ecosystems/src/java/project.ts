import { byFile, testGate } from '../project.ts';
import type { Project } from '../protocol.ts';

export const gradle: Project = {
  name: 'gradle',
  detect: byFile(['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'], (files) => [
    testGate('gradle', files.paths.has('gradlew') ? './gradlew test' : 'gradle test'),
  ]),
};

export const maven: Project = {
  name: 'maven',
  detect: byFile(['pom.xml'], (files) => [
    testGate('mvn', files.paths.has('mvnw') ? './mvnw -q test' : 'mvn -q test'),
  ]),
  settings: [
    {
      programs: /^mvnw?$/,
      files: ['.mvn/maven.config', '.mvn/jvm.config'],
      part: null,
      vacuous:
        /-D(?:skipTests|skipITs|maven\.test\.skip(?:\.exec)?|maven\.test\.failure\.ignore)(?!=false)|(?:^|\s)(?:-fn|--fail-never)(?:\s|$)/m,
      why: 'skips the tests, or lets them fail',
    },
  ],
};
