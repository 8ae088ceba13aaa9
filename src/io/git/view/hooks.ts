import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shellQuote } from '../../../lib/shell-quote.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { boxOf } from '../../box/index.ts';
import { setting } from '../call/git.ts';
import type { WorkTree } from '../call/work-tree.ts';

/** Those that our commits, switches of a branch and pushes can start. @see githooks(5) */
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

/**
 * Lets git run the hooks of the view, each in a box where there is one; git itself, which signs, stays outside.
 *
 * @throws The Node error when the box can't be made.
 */
export async function withHooks<T>({ top, view }: WorkTree, work: (hooks: string) => Promise<T>): Promise<T> {
  if (view === null) return work('/dev/null');
  const names = HOOKS.filter((name) => isHook(join(view.hooks, name)));
  const { env } = process;
  const place = { cwd: top, env, visible: [view.folder], home: null, agent: '' };
  const box = boxOf(names.length === 0 ? null : view.box(), { role: 'git', ...place });
  try {
    const opened = box.open('/bin/sh');
    if (opened === null) return await work(view.hooks);
    const gone = Object.keys(env).filter((name) => opened.env[name] === undefined);
    const set = Object.entries(opened.env).filter(([name, value]) => env[name] !== value);
    const lines = [
      '#!/bin/sh',
      ...gone.map((name) => `unset ${name}`),
      ...set.map(([name, value = '']) => `export ${name}=${shellQuote(value)}`),
    ];
    const command = [opened.program, ...opened.args, '--'].map(shellQuote).join(' ');
    const folder = mkdtempSync(join(view.folder, 'boxed-'));
    for (const name of names) {
      const last = `exec ${command} ${shellQuote(join(view.hooks, name))} "$@"\n`;
      writeFileSync(join(folder, name), [...lines, last].join('\n'), { mode: 0o700 });
    }
    try {
      return await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    box.close();
  }
}
