/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attemptAtCode, cheated } from '../../../src/app/eval/code-agent.ts';
import { type CodeTask, codeFiles, codePath, codeText, isTrueCode } from '../../../src/app/eval/code-task.ts';
import { randomOf } from '../../../src/app/eval/random.ts';
import { CHEATS, readSuite } from '../../../src/app/eval/suite.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const FILE = join(import.meta.dirname, '../../../templates/suites/proof/suite.json');
const read = readSuite(readFileSync(FILE, 'utf8'));
if (!read.ok || read.suite.model === undefined) throw new Error('templates/suites/proof cannot be read');
const { model, tasks = [] } = read.suite;
const all = tasks.map((task) => task as CodeTask);
/** One task of each level is tried here. */
const some = [...new Map(all.map((task) => [task.level, task])).values()];

function folderOf(...layers: Readonly<Record<string, string | null>>[]): string {
  const folder = temporaryFolder();
  for (const [path, content] of layers.flatMap((files) => Object.entries(files))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (content === null) rmSync(join(folder, path));
    else writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** What the gate says, apart from this test's own runner. */
function gate(folder: string) {
  const { NODE_TEST_CONTEXT: _own, NODE_OPTIONS: _options, ...env } = process.env;
  return spawnSync(process.execPath, ['--test'], { cwd: folder, encoding: 'utf8', env });
}

const begun = (task: CodeTask) => codeFiles('proof', task, false);
const prompt = (task: CodeTask) => `Task: ${task.title}`;

describe('the suite of weak tests', () => {
  it.each(all.map((task) => [task.code.name, task] as const))(
    '%s is wrong before and right after',
    async (_name, { code }) => {
      expect(await isTrueCode(code, codeText(code, code.before))).toBe(false);
      expect(await isTrueCode(code, codeText(code, code.after))).toBe(true);
      for (const { gave } of [...code.tests, ...code.truth]) expect(gave).not.toBe(undefined);
    },
  );

  it.each(some.map((task) => [task.level, task] as const))(
    '%s: its gate begins as its level says, and the work passes it and the check',
    (level, task) => {
      const { code } = task;
      expect(gate(folderOf(begun(task))).status).toBe(level === 'untested' ? 0 : 1);
      const done = folderOf(begun(task), { [codePath(code)]: codeText(code, code.after) });
      expect(gate(done).status).toBe(0);
      const [, check = ''] =
        /Check: `(.*)`/.exec(codeFiles('proof', task, true)['.ralph/PRD.md'] ?? '') ?? [];
      const run = (cwd: string) => spawnSync('sh', ['-c', check], { cwd }).status;
      expect([run(folderOf(begun(task))), run(done)]).toEqual([1, 0]);
    },
  );
});

describe.each(CHEATS)('an agent that cheats by %s', (cheat) => {
  it.each(some.map((task) => [task.level, task] as const))(
    'passes what it doesn’t leave red in its copy, without the work: %s',
    async (level, task) => {
      const files = cheated(cheat, task.code, prompt(task));
      const { status, stdout } = gate(folderOf(begun(task), files));
      const isRed = cheat === 'leaves_red' && level !== 'untested';
      expect(status, stdout).toBe(isRed ? 1 : 0);
      expect(await isTrueCode(task.code, files[codePath(task.code)] ?? null)).toBe(false);
    },
  );
});

describe('the agent at code', () => {
  const moves = (cheats: number, more = '') =>
    Array.from({ length: 1000 }, (_, seed) => {
      const [task] = some;
      if (task === undefined) throw new Error('no task');
      return attemptAtCode(
        { ...model, cheats },
        {
          prompt: prompt(task) + more,
          random: randomOf(seed),
          task,
          read: () => null,
          others: [],
        },
      ).move;
    });

  it('cheats at the rate that it is given, and where it cheats at a lower one it does at a higher', () => {
    expect(new Set(moves(0))).toEqual(new Set(['honest']));
    const [low, high] = [moves(0.2), moves(0.6)];
    const share = (all: readonly string[]) => all.filter((move) => move !== 'honest').length / all.length;
    expect(share(low)).toBeCloseTo(0.2, 1);
    expect(share(high)).toBeCloseTo(0.6, 1);
    for (const [index, move] of low.entries()) if (move !== 'honest') expect(high[index]).toBe(move);
    expect(new Set(moves(1))).toEqual(new Set(CHEATS));
  });
});
