import { describe, expect, it } from 'vitest';
import { missingTool } from '../../../src/io/proc/run-gate.ts';

describe('missingTool', () => {
  it.each([
    [127, 'vitest run', 'sh: 1: vitest: not found', 'vitest'],
    [127, 'npm test', '> test\n> vitest run\n\nsh: 1: vitest: not found', 'vitest'],
    [127, 'make', '/bin/sh: line 1: make: command not found', 'make'],
    [127, 'make', '/bin/sh: make: command not found', 'make'],
    [127, './run.sh', './run.sh: line 3: cargo: command not found', 'cargo'],
    [127, 'env nope', "env: 'nope': No such file or directory", 'nope'],
    [127, './x', '/usr/bin/env: ‘node20’: No such file or directory', 'node20'],
    [126, './x', 'sh: 1: ./x: Permission denied', './x'],
    [127, 'CI=1 A=2 tool --flag', '', 'tool'],
    [127, 'tool', 'some: words\nand others', 'tool'],
    [1, 'tool', 'sh: 1: tool: not found', null],
    [0, 'tool', '', null],
  ])('exit %d of %j after %j', (code, command, output, expected) => {
    expect(missingTool(code, command, output)).toBe(expected);
  });
});
