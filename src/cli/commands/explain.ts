import { type ExplainResult, explain } from '../../app/commands/explain.ts';
import { failingLines, type Terminal, withLocalTimes } from '../../io/ui/index.ts';
import { timesText } from '../../lib/counted.ts';
import type { Call } from '../call.ts';
import { words } from '../render/words.ts';

export async function run(call: Call, task: string | null = null) {
  // Of the others there is nothing to say but that they weren't asked for.
  const isAsked = task !== null;
  await call.print(await explain({ ...call, task }), (data, terminal) =>
    explainText(isAsked ? { ...data, others: [] } : data, terminal),
  );
}

/** `ralph explain` */
export function explainText({ outcome, task, others }: ExplainResult, terminal: Terminal): string {
  const lines = task === null ? [`Nothing to start: ${words(outcome)}.`] : taskLines(task, terminal);
  if (others.length > 0) {
    const rows = others.map(({ id, why }) => [`  ${id}`, why]);
    lines.push('', 'The others:', terminal.table(rows));
  }
  return lines.join('\n');
}

function taskLines(task: NonNullable<ExplainResult['task']>, { style, para }: Terminal): string[] {
  const lines = [
    `${style.bold(task.id)} ${task.title}`,
    para(`${task.selectable ? 'comes next' : "can't be started"}: ${task.why}`, '  '),
    ...placeLine(task.place, { para }),
    para(`complexity: ${task.complexity_reason}`, '  '),
    para(`limit ${task.timeout_reason}`, '  '),
  ];
  if (task.timeout_warning !== null) lines.push(style.yellow(para(task.timeout_warning, '  ! ')));
  if (task.workflow !== null) lines.push(...workflowLines(task.workflow, { style, para }));
  if (task.answer !== null) {
    const { issue, times, done, next } = task.answer;
    lines.push(para(`${words(issue)}, ${ordinal(times)} time: ${done}; next: ${next}`, '  ', '    '));
  }
  if (task.blocked !== null) lines.push(para(`${style.red('blocked')}: ${task.blocked.detail}`, '  '));
  if (task.waiting !== null) {
    const { why, command } = task.waiting;
    lines.push(para(`${style.yellow('waiting')}: ${why ?? 'for you'}`, '  '), `    ${style.cyan(command)}`);
  }
  lines.push(...failingLines(task.failing, { style, para }, '  '));
  for (const { iteration, verdict, cause } of task.attempts) {
    lines.push(para(`#${iteration} ${words(verdict)}: ${cause}`, '  ', '    '));
  }
  for (const { id, issue, failed_attempts, max_attempts, diagnosis, ended, path } of task.recoveries) {
    const state = ended ?? `attempt ${failed_attempts + 1} of ${max_attempts} comes next`;
    lines.push(
      para(`${id}, recovery from ${words(issue)}: ${state}. ${diagnosis?.text ?? ''} ${path}`, '  ', '    '),
    );
  }
  return lines;
}

/** `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`. */
function ordinal(count: number): string {
  const last = count % 100 > 10 && count % 100 < 14 ? 0 : count % 10;
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`;
}

type Place = NonNullable<ExplainResult['task']>['place'];

/** Places that the line of its readiness names already. */
const IN_READINESS: ReadonlySet<string> = new Set([
  'waiting',
  'held',
  'unverified',
  'faulty',
  'needs_you',
  'blocked',
]);

/** Who is at it, or what it waits for. */
function placeLine(place: Place, { para }: Pick<Terminal, 'para'>): string[] {
  if (place === null || IN_READINESS.has(place.kind)) return [];
  return [para(`now: ${withLocalTimes(place.why, new Date())}`, '  ', '    ')];
}

type Workflow = NonNullable<NonNullable<ExplainResult['task']>['workflow']>;

/** Who takes which role, and what was said of the task so far. */
function workflowLines(workflow: Workflow, { style, para }: Pick<Terminal, 'style' | 'para'>): string[] {
  const { kind, cycles, max_cycles: most, problem, roles, reviews, issues } = workflow;
  const names = roles.map(({ role, agent, model, replaced }) => {
    const again = replaced === 0 ? '' : `, replaced ${timesText(replaced)}`;
    return `${role} (${agent}${model === null ? '' : `, ${model}`}${again})`;
  });
  return [
    para(`workflow ${kind}, ${cycles} of ${most} cycles: ${names.join(', ')}`, '  ', '    '),
    ...(problem === null ? [] : [style.red(para(problem, '  ! '))]),
    ...reviews.flatMap(({ cycle, role, verdict, findings }) => [
      para(`cycle ${cycle}, ${role}: ${verdict === null ? 'failed' : words(verdict.toLowerCase())}`, '    '),
      ...findings.map(({ severity, file, line, claim }) =>
        para(`${severity} ${file}${line === null ? '' : `:${line}`}: ${claim}`, '      ', '        '),
      ),
    ]),
    ...issues.map(({ issue, times, step }) =>
      para(`${words(issue)}: seen ${timesText(times)} (${words(step)})`, '    '),
    ),
  ];
}
