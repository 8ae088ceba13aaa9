import { type LessonsInput, type LessonsResult, lessons } from '../../../app/commands/guidance/lessons.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import { counted } from '../../../lib/counted.ts';
import { firstFew } from '../../../lib/text.ts';
import type { Call } from '../../call.ts';

export async function run(call: Call, given: Pick<LessonsInput, 'action' | 'key'>) {
  await call.print(await lessons({ ...call, ...given }), lessonsText);
}

/** `ralph lessons` */
export function lessonsText(
  { action, lessons }: LessonsResult,
  { style, para }: Pick<Terminal, 'style' | 'para'>,
): string {
  const done = action === 'drop' ? 'Dropped.\n' : '';
  if (lessons.length === 0) return `${done}No lessons yet.`;
  const list = lessons.map(({ key, text, count, tasks, shown, came_back }) => {
    const ids = firstFew(tasks.map(({ task_id }) => task_id));
    const helped =
      shown === 0 ? 'not shown yet' : `shown in ${counted(shown, 'prompt')}, helped in ${shown - came_back}`;
    const facts = `found in ${counted(count, 'attempt')} (${ids}); ${helped}`;
    return [style.bold(key), para(text, '  '), style.dim(para(facts, '  '))].join('\n');
  });
  return `${done}${list.join('\n')}`;
}
