import type { InterventionsResult } from '../../app/commands/interventions.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { clockTime, storyText } from '../../tell/index.ts';

export type Story = Extract<InterventionsResult, { story: unknown }>['story'];

export function storyLine(entry: Story[number], { style, para }: Terminal): string {
  const { at, iteration, severity } = entry;
  const paint = { critical: style.red, warning: style.yellow, info: style.dim }[severity];
  return para(
    storyText(entry, new Date()),
    `${paint('●')} ${clockTime(at, new Date())} #${iteration} `,
    '    ',
  );
}
