import type { InterventionsResult } from '../../app/commands/interventions.ts';
import type { InterventionType } from '../../domain/intervention.ts';
import { clockTimeNow, type Terminal } from '../../io/ui/index.ts';

export type Story = Extract<InterventionsResult, { story: unknown }>['story'];

/** What each intervention is, for the next attempt. */
export const INTERVENTION_WORDS: Readonly<Record<InterventionType, string>> = {
  soft_correction: 'the agent is warned in its next attempt',
  context_reinforcement: 'the next prompt explains the task anew',
  resource_throttling: 'the next attempts get lower limits',
  checkpoint_rollback: 'its work was set aside',
  emergency_stop: 'stopped',
};

/** Who, what, what was done, and whether it helped: a paragraph. */
export function storyText(entry: Story[number], { style, para }: Terminal): string {
  const { at, iteration, task_id: task, agent, what, done, outcome, severity } = entry;
  const paint = { critical: style.red, warning: style.yellow, info: style.dim }[severity];
  const who = [task, agent].filter((one) => one !== null).join(' ');
  const answer = done.length === 0 ? '' : ` → ${done.join(', ')}`;
  const helped = outcome === null ? '' : `; ${outcome}`;
  const lead = `${clockTimeNow(at)} #${iteration} `;
  return para(`${who} ${what.replace(/[.]$/, '')}${answer}${helped}`, `${paint('●')} ${lead}`, '    ');
}
