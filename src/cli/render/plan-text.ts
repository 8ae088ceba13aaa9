import { formatDuration } from 'ralph-kit/duration';
import type { ShownPlan } from '../../app/commands/plan/shown-plan.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { estimateText, whosePlan } from '../../tell/index.ts';

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
    `${style.bold(plan.id)} ${para(whosePlan(plan))}`,
    table(rows, ['task', 'complexity', 'time', 'after', 'title']),
    details.join('\n'),
    ...(unshown.length === 0 ? [] : [para('? nothing but the gates shows it', '  ')]),
    para(estimateText(plan)),
  ].join('\n\n');
}
