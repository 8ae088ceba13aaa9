import { avoidanceLine, type FoundAvoidance, type JudgedAvoidance } from '../domain/findings/avoidance.ts';
import { bullets, fenced } from '../lib/markdown.ts';
import { asSentence } from '../lib/text.ts';

/** Findings that are shown with their lines; the rest is counted. */
const SHOWN = 5;

/** What to do instead, by category. @see spec 5-human-gates, Alternatives offered on rejection */
const INSTEAD: Readonly<Record<string, string>> = {
  test_deletion: 'Restore the test, and fix what makes it fail.',
  test_skip: 'Let the test run: mock what it depends on, or fix its timing.',
  test_focus: 'Let all tests run.',
  assertion_weakening: 'Restore the assertion, and fix the implementation until it holds.',
  hardcoded_test_bypass: 'Compute the result; the code must not know its tests.',
  gate_weakening: 'Restore the setting, and fix what it finds.',
  feature_removal: 'Keep the feature: put it behind a flag, or deprecate it first.',
  coverage_regression: 'Add tests for what you wrote.',
  stub_completion: 'Write the body.',
  error_swallowing: 'Handle the error, or let it through.',
};

/** What an attempt avoided, with place, lines and the alternative; `null` where it avoided nothing. */
export function avoidanceText(
  { acting, unsure, warned }: JudgedAvoidance,
  { iteration, taskId }: { readonly iteration: number; readonly taskId: string },
): string | null {
  const counted = [...acting, ...unsure];
  const all = [...counted, ...warned];
  if (all.length === 0) return null;
  const lead =
    counted.length > 0
      ? `**CRITICAL**: In iteration ${iteration}, your changes for task ${taskId} make checks weaker instead of code better.`
      : `**WARNING**: In iteration ${iteration}, your changes for task ${taskId} look as if they made checks weaker. Ignore this where the task asks for it.`;
  const rest = all.length > SHOWN ? [`And ${all.length - SHOWN} more of this kind.`] : [];
  return [lead, ...all.slice(0, SHOWN).map(shown), ...rest].join('\n\n');
}

function shown(one: FoundAvoidance): string {
  const mark = (text: string | null, sign: string) =>
    text === null || text === '' ? [] : text.split('\n').map((line) => `${sign} ${line}`);
  const lines = [...mark(one.before, '-'), ...mark(one.after, '+')];
  const head = bullets([`${asSentence(avoidanceLine(one))} ${INSTEAD[one.category] ?? ''}`.trim()]);
  return lines.length === 0 ? head : `${head}\n\n${fenced(lines.join('\n'))}`;
}
