import type { Command } from 'commander';
import type { FeedbackInput, FeedbackResult } from '../../app/commands/guidance/feedback.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  'feedback add': ['feedback add "Use pnpm, not npm"', 'feedback add --task T-3 "The port is 8080"'],
};

export function define(program: Command): void {
  const feedback = program.command('feedback');
  feedback
    .command('add')
    .argument('<text...>')
    .option('--task <id>', 'only for this task')
    .description('Add guidance to the coming prompts')
    .action(
      actionOf((call, words: string[], { task = null }) => run(call, 'add', words.join(' '), task), true),
    );
  feedback
    .command('list', { isDefault: true })
    .description('List what the coming prompts will carry')
    .action(actionOf((call) => run(call, 'list'), false));
  feedback
    .command('clear')
    .description('Remove the guidance that you added')
    .action(actionOf((call) => run(call, 'clear'), true));
}

async function run(call: Call, action: FeedbackInput['action'], text = '', task: string | null = null) {
  const { feedback } = await import('../../app/commands/guidance/feedback.ts');
  await call.print(await feedback({ ...call, action, text, task }), feedbackText);
}

const DONE = { add: 'Added. ', clear: 'Cleared. ', list: '' };

const BY = { person: 'by you', loop: 'by the loop', suggestion: 'by the loop, when it unblocked the task' };

export function feedbackText(
  { action, entries, guidance }: FeedbackResult,
  { style, para }: Terminal,
): string {
  const file = guidance === null ? [] : [`${style.bold('every task')} (by you): ${guidance}`];
  if (entries.length + file.length === 0) return `${DONE[action]}The coming prompts carry no feedback.`;
  const list = entries.map(({ task_id, source, kind, text }) => {
    const head = `${style.bold(task_id ?? 'every task')} (${BY[source]}, ${words(kind)})`;
    const lines = text
      .split('\n')
      .map((line) => para(line, '  ', line.startsWith('- ') ? '    ' : '  ').trimEnd());
    return `${head}\n${lines.join('\n')}`;
  });
  return [`${DONE[action]}The coming prompts carry:`, ...file, ...list].join('\n');
}
