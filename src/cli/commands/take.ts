import { type TakeInput, type TakeResult, take } from '../../app/commands/take.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';

/** `ralph take` */
export async function run(
  call: Call,
  which: string,
  options: Partial<Pick<TakeInput, 'attempt' | 'ignored'>>,
) {
  const { attempt = null, ignored = [] } = options;
  await call.print(await take({ ...call, which, attempt, ignored }), takeText);
}

export function takeText({ taken, kept, paths, submodules }: TakeResult, { style }: Terminal): string {
  if (kept === null)
    return `${style.green('✔')} The work at ${taken} is in your checkout already. Nothing was changed.`;
  return [
    `${style.green('✔')} The work at ${taken} is in your checkout, uncommitted (${counted(paths.length, 'file')}).`,
    ...paths.map((path) => `  ${path}`),
    ...submodules.flatMap(({ path, needs }) =>
      needs === null ? [] : [`The submodule ${path} stays as it is until you run: ${style.bold(needs)}`],
    ),
    `What your checkout held before is kept: ${style.bold(`ralph checkpoints diff ${kept}`)}`,
  ].join('\n');
}
