import { byFile, type Project, testGate } from '../project.ts';

export const haskell: Project = {
  name: 'haskell',
  detect: byFile(['stack.yaml'], () => [testGate('stack', 'stack test')]),
};
