import { basename, resolve } from 'node:path';
import { isSetUp, openWatch, type Watched } from '../../app/commands/watch.ts';
import { followChanges } from '../../app/records/follow-changes.ts';
import { failure, success } from '../../app/result.ts';
import { printable, terminalOf } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { changesBetween } from './changes.ts';

type Folder = { readonly dir: string; readonly name: string };

/** `ralph watch`: the full screen on a terminal; else a line for each change until no run is active. */
export async function run(call: Call, given: readonly string[] = []) {
  const dirs = (given.length === 0 ? ['.'] : given).map((name): Folder => {
    const dir = resolve(call.cwd, name);
    return { dir, name: basename(dir) };
  });
  const terminal = terminalOf(process.stdout, !call.color);
  if (call.format === 'json') return printOnce(call, dirs);
  if (!terminal.live || process.stdin.isTTY !== true) return printChanges(call, dirs);
  // What agents could rewrite meanwhile isn't loaded from there.
  const { ownCopy } = await import('../../app/setup/refuse-inside.ts');
  const copy = await ownCopy(call.cwd);
  if (copy !== null) return copy.ok ? copy.run() : call.print(copy, () => '');
  const { openScreen } = await import('./open-screen.ts');
  const { stdin, stdout } = process;
  const { command } = await openScreen({ dirs, color: terminal.style.level > 0, stdin, stdout });
  if (command === 'init') await (await import('../commands/init.ts')).run(call, { gates: true, try: true });
  if (command === 'demo') await (await import('../commands/demo.ts')).run(call, {});
}

async function printOnce(call: Call, dirs: readonly Folder[]): Promise<void> {
  const repositories: Watched[] = [];
  for (const { dir } of dirs) {
    const result = await openWatch({ cwd: dir, onNotice: call.onNotice }).read();
    if (!result.ok) return call.print(result, () => '');
    repositories.push(result.data);
  }
  await call.print(success({ repositories }), () => '');
}

/** Several at the same time, each until no run is active there. */
async function printChanges(call: Call, dirs: readonly Folder[]): Promise<void> {
  for (const { dir } of dirs) {
    if (await isSetUp(dir)) continue;
    return call.print(failure(`ralph isn't set up in ${dir}.`, 'ralph init'), () => '');
  }
  await Promise.all(dirs.map(({ dir }) => printChangesIn(call, dir)));
}

async function printChangesIn(call: Call, dir: string): Promise<void> {
  const watch = openWatch({ cwd: dir, onNotice: call.onNotice });
  let before: Watched | null = null;
  for (;;) {
    const stamp = watch.stamp();
    const result = await watch.read();
    if (!result.ok) return call.print(result, () => '');
    const data = printable(result.data);
    for (const line of changesBetween(before, data)) process.stdout.write(`${line}\n`);
    before = data;
    if (data.status.running === null) return;
    await changed(dir, () => watch.stamp() !== stamp);
  }
}

/** Waits until something is to be read again. */
function changed(dir: string, isNew: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = followChanges(dir, () => {
      if (!isNew()) return;
      stop();
      resolve();
    });
  });
}
