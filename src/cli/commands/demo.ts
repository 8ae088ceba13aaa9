import { resolve } from 'node:path';
import type { Command } from 'commander';

import { shellQuote } from 'ralph-kit/shell-quote';
import { type Call, calling, type Examples } from '../call.ts';
import { livePrinter } from '../live.ts';

export const examples: Examples = {
  demo: ['demo', 'demo --keep', 'demo --keep first-night'],
};

export function define(program: Command): void {
  program
    .command('demo')
    .option(
      '--keep [dir]',
      'keep the scratch repository; with a folder: make the one of docs/FIRST_NIGHT.md there',
    )
    .action(calling(run, false));
}

export async function run(call: Call, { keep = false }: { readonly keep?: boolean | string }) {
  const { demo, makeFirstNight } = await import('../../app/commands/demo.ts');
  if (typeof keep === 'string') {
    const made = await makeFirstNight(resolve(call.cwd, keep));
    await call.print(
      made,
      () =>
        `Made the repository of docs/FIRST_NIGHT.md.\n\nNext: cd ${shellQuote(keep)} && ralph init --agent scripted --yes`,
    );
    return;
  }
  const { onEntry, onStop, hide, note, dispose } = livePrinter(call, false, keep);
  const onFolder = (folder: string) => {
    if (keep) note(`Scratch repository: ${folder}`);
  };
  const result = await demo({ keep, onEntry, onStop, hide, onFolder });
  dispose();
  await call.print(result, () => '');
}
