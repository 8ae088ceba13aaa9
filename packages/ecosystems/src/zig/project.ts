import { byFile, type Project, testGate } from '../project.ts';

export const zig: Project = {
  name: 'zig',
  detect: byFile(['build.zig'], () => [testGate('zig', 'zig build test')]),
};
