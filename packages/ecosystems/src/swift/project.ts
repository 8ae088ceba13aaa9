import { byFile, type Project, testGate } from '../project.ts';

export const swift: Project = {
  name: 'swift',
  detect: byFile(['Package.swift'], () => [testGate('swift', 'swift test')]),
};
