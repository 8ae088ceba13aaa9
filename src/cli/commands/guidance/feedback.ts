import {
  type FeedbackInput,
  type FeedbackResult,
  feedback,
} from '../../../app/commands/guidance/feedback.ts';
import type { Terminal } from '../../../io/ui/index.ts';
import type { Call } from '../../call.ts';
import { words } from '../../render/words.ts';

export async function run(call: Call, given: Pick<FeedbackInput, 'action' | 'text' | 'task'>) {
  await call.print(await feedback({ ...call, ...given }), feedbackText);
}

const DONE = { add: 'Added. ', clear: 'Cleared. ', list: '' };

/** Who says it. */
const BY = { person: 'by you', loop: 'by the loop', suggestion: 'by the loop, when it unblocked the task' };

/** `ralph feedback` */
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
