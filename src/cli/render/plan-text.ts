import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import type { ShownPlan } from '../../app/commands/plan/shown-plan.ts';
import { costText } from '../../domain/policy.ts';
import type { Terminal } from '../../io/ui/index.ts';

/** Number of columns before a command. */
const INDENT = 8;

/**
 * Returns a plan as text: its tasks, their criteria and their estimated time. Commands are shown exactly and in full.
 */
export function planText(plan: ShownPlan, { style, para, table, verbatim }: Terminal): string {
  const rows = plan.tasks.map(({ id, title, complexity, limit_ms, estimate_ms, depends_on }) => [
    id,
    complexity,
    estimate_ms === null ? `≤ ${formatDuration(limit_ms)}` : formatDuration(estimate_ms),
    depends_on.join(', ') || '-',
    title,
  ]);
  const details = plan.tasks.map(({ id, criteria, files, gates }) =>
    [
      style.bold(id),
      ...criteria.flatMap(({ text, check, by_reading }) => [
        para(text, check === null && !by_reading ? '  ? ' : '  - ', '    '),
        ...(check === null ? [] : [verbatim(`    check: ${check}`, INDENT)]),
      ]),
      ...(files.length === 0 ? [] : [style.dim(para(`files: ${files.join(', ')}`, '  '))]),
      ...(gates.length === 0 ? [] : [style.dim(para(`gates: ${gates.join(', ')}`, '  '))]),
    ].join('\n'),
  );
  const unshown = plan.tasks.flatMap(({ criteria }) =>
    criteria.filter(({ check, by_reading }) => check === null && !by_reading),
  );
  return [
    `${style.bold(plan.id)} ${para(whose(plan))}`,
    table(rows, ['task', 'complexity', 'time', 'after', 'title']),
    details.join('\n'),
    ...(unshown.length === 0 ? [] : [para('? nothing but the gates shows it', '  ')]),
    ...estimateTexts(plan).map((text) => para(text)),
  ].join('\n\n');
}

export function whose({ by, tasks }: ShownPlan): string {
  const what = counted(tasks.length, 'task');
  if (by.kind === 'plan') return `${what} by ${by.agent}`;
  const { task_id } = by as { readonly task_id: string };
  return by.kind === 'split'
    ? `${what} in the place of ${task_id}`
    : `${what} by ${by.agent}, from ${task_id}`;
}

function estimateTexts({ tasks, estimate }: ShownPlan): string[] {
  const { ms, timed, usd, tokens, costed } = estimate;
  const rest = tasks.length - timed;
  const basis =
    rest === 0
      ? 'by attempts so far'
      : timed === 0
        ? 'by the limits alone'
        : `${rest} of them by their limit`;
  const money = usd === null || usd === 0 ? '' : `, ${costText(usd, 'usd')}`;
  const known = costed === tasks.length ? '' : ` (${costed} of ${tasks.length} tasks)`;
  return [
    `Time: ${rest === 0 ? 'about' : 'up to'} ${formatDuration(ms)}, ${basis}. ${
      tokens === null
        ? 'Cost: no estimate yet.'
        : `Cost: about ${costText(tokens, 'tokens')}${money}${known}.`
    }`,
  ];
}
