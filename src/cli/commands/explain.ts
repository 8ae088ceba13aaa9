import type { Command } from 'commander';
import { timesText } from 'ralph-kit/counted';
import type { ExplainResult } from '../../app/commands/explain.ts';
import { failingLines, type Terminal } from '../../io/ui/index.ts';
import { findingText, VERDICT_WORD, withLocalTimes, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  explain: ['explain', 'explain T-3'],
};

export function define(program: Command): void {
  program
    .command('explain')
    .argument('[task]')
    .description('why this task and this timeout, and why not the others')
    .action(actionOf(run, false));
}

export async function run(call: Call, task: string | null = null) {
  const { explain } = await import('../../app/commands/explain.ts');
  // If you ask about one task, the reason for all others would just be "not asked for".
  const isAsked = task !== null;
  await call.print(await explain({ ...call, task }), (data, terminal) =>
    explainText(isAsked ? { ...data, others: [] } : data, terminal),
  );
}

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
    ...readinessLines(task, { para }),
    para(`complexity: ${task.complexity_reason}`, '  '),
    para(`limit ${task.timeout_reason}`, '  '),
  ];
  if (task.timeout_warning !== null) lines.push(style.yellow(para(task.timeout_warning, '  ! ')));
  if (task.workflow !== null) lines.push(...workflowLines(task.workflow, { style, para }));
  if (task.answer !== null) {
    const { issue, times, done, next } = task.answer;
    lines.push(para(`${words(issue)}, ${ordinal(times)} time: ${done}; next: ${next}`, '  ', '    '));
  }
  // The line on readiness has the reason already, unless something else comes first.
  if (task.blocked !== null && !task.why.includes(task.blocked.detail))
    lines.push(para(`${style.red('blocked')}: ${task.blocked.detail}`, '  '));
  if (task.waiting !== null) {
    const { why, command } = task.waiting;
    lines.push(para(`${style.yellow('waiting')}: ${why ?? 'for you'}`, '  '), `    ${style.cyan(command)}`);
  }
  lines.push(...failingLines(task.failing, { style, para }, '  '));
  lines.push(...attemptLines(task.attempts, { para }));
  for (const { id, issue, failed_attempts, max_attempts, diagnosis, ended, path } of task.recoveries) {
    const state = ended ?? `attempt ${failed_attempts + 1} of ${max_attempts} comes next`;
    lines.push(
      para(`${id}, recovery from ${words(issue)}: ${state}. ${diagnosis?.text ?? ''} ${path}`, '  ', '    '),
    );
  }
  return lines;
}

type Attempts = NonNullable<ExplainResult['task']>['attempts'];

/** Attempts that ended the same way one after the other share a line: `#7 to #9 timed out: …`. */
function attemptLines(attempts: Attempts, { para }: Pick<Terminal, 'para'>): string[] {
  const groups: { first: number; last: number; how: string }[] = [];
  for (const { iteration, verdict, cause } of attempts) {
    const how = `${VERDICT_WORD[verdict]}: ${cause}`;
    const group = groups.at(-1);
    if (group?.how === how) group.last = iteration;
    else groups.push({ first: iteration, last: iteration, how });
  }
  return groups.map(({ first, last, how }) =>
    para(`#${first}${last === first ? '' : ` to #${last}`} ${how}`, '  ', '    '),
  );
}

/** Returns an ordinal number: `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`. */
function ordinal(count: number): string {
  const last = count % 100 > 10 && count % 100 < 14 ? 0 : count % 10;
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`;
}

type Place = NonNullable<ExplainResult['task']>['place'];

/** Places in the queue that the line about the task's readiness already names. */
const IN_READINESS: ReadonlySet<string> = new Set([
  'waiting',
  'held',
  'unverified',
  'faulty',
  'needs_you',
  'blocked',
]);

/**
 * Returns whether the task could start, and its place in the queue. The place "not asked for" is left out if you asked
 * about this task.
 */
function readinessLines(
  { selectable, why, place }: NonNullable<ExplainResult['task']>,
  { para }: Pick<Terminal, 'para'>,
): string[] {
  const placed = placeLine(place, { para });
  if (selectable && why === 'asked for') return placed.length > 0 ? placed : ['  can be started'];
  return [para(`${selectable ? 'comes next' : "can't be started"}: ${why}`, '  '), ...placed];
}

function placeLine(place: Place, { para }: Pick<Terminal, 'para'>): string[] {
  if (place === null || IN_READINESS.has(place.kind)) return [];
  return [para(`now: ${withLocalTimes(place.why, new Date())}`, '  ', '    ')];
}

type Workflow = NonNullable<NonNullable<ExplainResult['task']>['workflow']>;

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
      ...findings.map((finding) => para(findingText(finding), '      ', '        ')),
    ]),
    ...issues.map(({ issue, times, step }) =>
      para(`${words(issue)}: seen ${timesText(times)} (${words(step)})`, '    '),
    ),
  ];
}
