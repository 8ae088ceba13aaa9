import type { InterventionsResult } from '../../app/commands/interventions.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { clockTimeNow } from '../../tell/index.ts';

export type Story = Extract<InterventionsResult, { story: unknown }>['story'];

export function storyText(entry: Story[number], { style, para }: Terminal): string {
  const { at, iteration, task_id: task, agent, what, done, outcome, severity } = entry;
  const paint = { critical: style.red, warning: style.yellow, info: style.dim }[severity];
  const who = [task, agent].filter((one) => one !== null).join(' ');
  const answer = done.length === 0 ? '' : ` → ${done.join(', ')}`;
  const helped = outcome === null ? '' : `; ${outcome}`;
  const lead = `${clockTimeNow(at)} #${iteration} `;
  return para(`${who} ${what.replace(/[.]$/, '')}${answer}${helped}`, `${paint('●')} ${lead}`, '    ');
}
