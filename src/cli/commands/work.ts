import { type WorkInput, type WorkResult, work } from '../../app/commands/work.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';

/** `ralph work` */
export async function run(call: Call, action: WorkInput['action'], task: string | null = null) {
  await call.print(await work({ ...call, action, task }), workText);
}

export function workText(data: WorkResult, { para }: Terminal): string {
  if ('cleaned' in data)
    return para(`The copies in ${data.cleaned} are removed. The next run makes new ones.`);
  const { path, at_work } = data;
  return at_work ? `${path}\nRead only while the attempt runs: what you write there may be lost.` : path;
}
