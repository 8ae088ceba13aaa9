import { resolve } from 'node:path';
import { demo, makeFirstNight } from '../../app/commands/demo.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import type { Call } from '../call.ts';
import { livePrinter } from '../live.ts';

export async function run(call: Call, { keep = false }: { readonly keep?: boolean | string }) {
  if (typeof keep === 'string') {
    const made = await makeFirstNight(resolve(call.cwd, keep));
    await call.print(
      made,
      () => `Made the repository of docs/FIRST_NIGHT.md.\n\nNext: cd ${shellQuote(keep)}`,
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
