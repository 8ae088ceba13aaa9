import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { boxOf } from 'ralph-box';
import { MOST_BOXES } from 'ralph-box/protocol';
import { tryOr } from 'ralph-kit/try-or';
import { type GitCall, withoutInherited } from '../call/environment.ts';
import { runProgram } from '../call/run-git.ts';
import { setting } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';

type OpenBox = ReturnType<typeof boxOf>;

/** Hooks that commits, branch switches and pushes start. @see githooks(5) */
export const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'pre-push',
  'post-index-change',
  'reference-transaction',
] as const;

export async function hooksFolder(tree: WorkTree): Promise<string> {
  const set = await setting(tree, 'path', 'core.hooksPath');
  return set === null ? join(tree.commonDir, 'hooks') : resolve(tree.top, set);
}

export function isHook(file: string): boolean {
  return tryOr(false, () => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
}

type Given = {
  readonly call: GitCall;
  readonly env: NodeJS.ProcessEnv;
  readonly input: Buffer | string;
};

/** Number of characters kept from the end of a hook's output. */
const OUTPUT_END = 2000;
/** Hooks may run a project's tests. */
const LIMIT_MS = 10 * 60_000;

/**
 * Runs hooks in a box, or without one. Hooks that wait in vain are ended; variables of ralph's git calls aren't
 * passed on.
 * @param given `env`: additional variables.
 * @returns Why they refuse, on one line as the end of a sentence; `null` when they pass.
 * @throws The Node error when the box can't be made.
 */
export async function hookProblem(
  box: OpenBox,
  argv: readonly string[],
  given: Given,
): Promise<string | null> {
  let ended = await runHook(box, argv, given);
  for (let made = 1; made < MOST_BOXES && ended.code !== null && !box.hasStarted(); made += 1)
    ended = await runHook(box, argv, given);
  if (ended.code === 0 && ended.stopped === null) return null;
  const printed = `${ended.stdout.toString('utf8')}${ended.stderr}`.slice(-OUTPUT_END);
  const lines = printed.split(/\r?\n|\r/).map((line) => line.trim());
  const output = lines.filter((line) => line !== '').join('; ');
  return `${ended.stopped ?? `ended with ${ended.code ?? ended.signal}`}: ${output || 'no output'}`;
}

function runHook(box: OpenBox, argv: readonly string[], given: Given) {
  const opened = box.open('/bin/sh');
  const env = { ...withoutInherited(opened?.env ?? process.env), ...given.env };
  const [program = '', ...args] =
    opened === null
      ? argv
      : [opened.program, ...opened.args, '--json-status-fd', '3', '--', ...opened.front, ...argv];
  const call = { ...given.call, env, runsUsers: true, limitMs: LIMIT_MS };
  return runProgram(program, args, call, { input: given.input, box: opened });
}
