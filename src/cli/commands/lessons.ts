import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import type { LessonsInput, LessonsResult } from '../../app/commands/guidance/lessons.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  lessons: ['lessons', 'lessons drop no_files'],
};

export function define(program: Command): void {
  const lessons = program
    .command('lessons')
    .description('findings that came back, and whether showing them helped');
  lessons
    .command('list', { isDefault: true })
    .description('List the lessons, the most frequent first')
    .action(actionOf((call) => run(call, 'list', ''), false));
  lessons
    .command('drop')
    .argument('<key>')
    .description('Forget a lesson')
    .action(actionOf((call, key: string) => run(call, 'drop', key), true));
}

async function run(call: Call, action: LessonsInput['action'], key: string) {
  const { lessons } = await import('../../app/commands/guidance/lessons.ts');
  await call.print(await lessons({ ...call, action, key }), lessonsText);
}

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
