import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { Watched } from '../../app/commands/watch.ts';
import { type Failure, failure, success } from '../../app/result.ts';
import { realFolder } from '../../app/setup/work-tree.ts';
import { printable, terminalOf } from '../../io/ui/index.ts';
import { type Call, calling, type Examples } from '../call.ts';
import { changesBetween } from './changes.ts';

export const examples: Examples = {
  watch: ['watch', 'watch ../app ../lib'],
};

export function define(program: Command): void {
  program
    .command('watch')
    .argument('[dirs...]', 'repositories to watch side by side; by default the one that you are in')
    .description('a full screen to look and act; plain lines where there is no terminal')
    .action(calling(run, false));
}

type Folder = { readonly dir: string; readonly name: string };

/** Shows the full screen on a terminal. Elsewhere, prints a line for each change until no run is active. */
async function run(call: Call, given: readonly string[] = []) {
  const dirs = (given.length === 0 ? ['.'] : given).map((name): Folder => {
    const dir = resolve(call.cwd, name);
    return { dir, name: basename(dir) };
  });
  const terminal = terminalOf(process.stdout, !call.color);
  if (call.format === 'json') return printOnce(call, dirs);
  if (!terminal.live || process.stdin.isTTY !== true) return printChanges(call, dirs);
  // The screen runs from a private copy of ralph, because an agent could change ralph's files during a long session.
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
  const { openWatch } = await import('../../app/commands/watch.ts');
  const repositories: Watched[] = [];
  for (const { dir } of dirs) {
    const result = await openWatch({ cwd: dir, onNotice: call.onNotice }).read();
    if (!result.ok) return call.print(result, () => '');
    repositories.push(result.data);
  }
  await call.print(success({ repositories }), () => '');
}

function notSetUp(dir: string): Failure {
  const found = realFolder(dir);
  if (!found.ok) return found;
  const isHere = found.path === realpathSync('.');
  return failure(
    `ralph isn't set up in ${dir}.`,
    isHere ? 'ralph init' : `ralph --cwd ${shellQuote(dir)} init`,
  );
}

/** Follows all folders at the same time, each until no run is active there. */
async function printChanges(call: Call, dirs: readonly Folder[]): Promise<void> {
  const { isSetUp } = await import('../../app/commands/watch.ts');
  for (const { dir } of dirs) {
    if (await isSetUp(dir)) continue;
    return call.print(notSetUp(dir), () => '');
  }
  await Promise.all(dirs.map(({ dir }) => printChangesIn(call, dir)));
}

async function printChangesIn(call: Call, dir: string): Promise<void> {
  const { openWatch } = await import('../../app/commands/watch.ts');
  const { followChanges } = await import('../../app/records/follow-changes.ts');
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
    await new Promise<void>((resolve) => {
      const stop = followChanges(dir, () => {
        if (watch.stamp() === stamp) return;
        stop();
        resolve();
      });
    });
  }
}
