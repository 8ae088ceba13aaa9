import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../../lib/shell-quote.ts';
import { boxOf } from '../../box/index.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { HOOKS, isHook } from './hooks.ts';

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
