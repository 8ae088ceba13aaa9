import { byFile, testGate } from '../project.ts';
import type { Project } from '../protocol.ts';

export const dart: Project = {
  name: 'dart',
  detect: byFile(['pubspec.yaml'], (files) => [
    /^\s+flutter:/m.test(files.read('pubspec.yaml') ?? '')
      ? testGate('flutter', 'flutter test')
      : testGate('dart', 'dart test'),
  ]),
};
