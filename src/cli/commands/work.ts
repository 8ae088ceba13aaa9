import { type WorkInput, type WorkResult, work } from '../../app/commands/work.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';

/** `ralph work` */
export async function run(call: Call, action: WorkInput['action'], task: string | null = null) {
  const result = await work({ ...call, action, task });
  await call.print(result, workText);
  // Beside the path, which may be read by a program.
  if (result.ok && 'at_work' in result.data && result.data.at_work && call.format !== 'json')
    process.stderr.write('Read only while the attempt runs: what you write there may be lost.\n');
}

export function workText(data: WorkResult, { para }: Terminal): string {
  if ('cleaned' in data)
    return para(`The copies in ${data.cleaned} are removed. The next run makes new ones.`);
  return data.path;
}
