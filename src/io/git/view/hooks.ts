import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MOST_BOXES } from '../../../domain/box/box.ts';
import { shellQuote } from '../../../lib/shell-quote.ts';
import { tryOr } from '../../../lib/try-or.ts';
import type { boxOf } from '../../box/index.ts';
import type { GitCall } from '../call/environment.ts';
import { setting } from '../call/git.ts';
import { runProgram } from '../call/run-git.ts';
import type { WorkTree } from '../call/work-tree.ts';

type OpenBox = ReturnType<typeof boxOf>;

/** Those that commits, switches of a branch and pushes start. @see githooks(5) */
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

/** What our calls set that a hook of yours must not see; your own values come back. */
const OWN_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_PARAMETERS',
] as const;

/** Where the hooks of a repository lie. */
export async function hooksFolder(tree: WorkTree): Promise<string> {
  const set = await setting(tree, 'path', 'core.hooksPath');
  return set === null ? join(tree.commonDir, 'hooks') : resolve(tree.top, set);
}

/** Whether git would run this hook. */
export function isHook(file: string): boolean {
  return tryOr(false, () => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
}

/**
 * Makes a folder of hooks that start those in another one where they lie, with the environment that git would give
 * them. What isn't a hook now doesn't become one.
 */
export function wrapHooks(from: string, into: string): void {
  mkdirSync(into, { mode: 0o700 });
  const variables = OWN_VARIABLES.slice(3).map((name) => {
    const value = process.env[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${shellQuote(value)}`;
  });
  const lines = ['#!/bin/sh', `unset ${OWN_VARIABLES.slice(0, 3).join(' ')}`, ...variables];
  for (const name of HOOKS) {
    const hook = join(from, name);
    if (!isHook(hook)) continue;
    writeFileSync(join(into, name), [...lines, `exec ${shellQuote(hook)} "$@"\n`].join('\n'), {
      mode: 0o700,
    });
  }
}

type Given = {
  readonly call: GitCall;
  readonly env: (isBoxed: boolean) => NodeJS.ProcessEnv;
  readonly input: Buffer | string;
};

/** Characters of what a hook printed that are kept, the last ones. */
const OUTPUT_END = 2000;
/** Hooks may run a project's tests. */
const LIMIT_MS = 10 * 60_000;

/**
 * Runs hooks in a box, or as they are where there is none. Those that wait for what doesn't come are ended.
 *
 * @param given `env`: what they get beside the environment of the box; `input`: what is on their standard input.
 * @returns Why they refuse, with what they printed, as the rest of a sentence that begins with them; `null`: they don't.
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
  const output = `${ended.stdout.toString('utf8')}${ended.stderr}`.trim().slice(-OUTPUT_END);
  return `${ended.stopped ?? `ended with ${ended.code ?? ended.signal}`}: ${output || 'no output'}`;
}

function runHook(box: OpenBox, argv: readonly string[], given: Given) {
  const opened = box.open('/bin/sh');
  const env = { ...(opened?.env ?? process.env), ...given.env(opened !== null) };
  const [program = '', ...args] =
    opened === null
      ? argv
      : [opened.program, ...opened.args, '--json-status-fd', '3', '--', ...opened.front, ...argv];
  const call = { ...given.call, env, runsUsers: true, limitMs: LIMIT_MS };
  return runProgram(program, args, call, { input: given.input, box: opened });
}
