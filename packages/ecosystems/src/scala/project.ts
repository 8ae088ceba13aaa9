import { byFile, type Project, testGate } from '../project.ts';

export const scala: Project = {
  name: 'scala',
  detect: byFile(['build.sbt'], () => [testGate('sbt', 'sbt test')]),
};
