import { demo } from '../../app/commands/demo.ts';
import type { Call } from '../call.ts';
import { livePrinter } from '../live.ts';

export async function run(call: Call, { keep = false }: { readonly keep?: boolean }) {
  const { emit, onStop, hide, note, dispose } = livePrinter(call, false, keep);
  const onFolder = (folder: string) => {
    if (keep) note(`Scratch repository: ${folder}`);
  };
  const result = await demo({ keep, emit, onStop, hide, onFolder });
  dispose();
  await call.print(result, () => '');
}
