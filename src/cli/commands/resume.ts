import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import type { Choices, ResumeInput, ResumeResult } from '../../app/commands/resume.ts';
import { NO_COST } from '../../domain/policy.ts';
import { keptText, takeCommand } from '../../domain/work-place.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { budgetText, unblockCommand } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { atTerminal } from '../loop-input.ts';
import { choicesText } from '../render/incident-options.ts';

export const examples: Examples = {
  resume: ['resume', 'resume INC-1 --option rollback_and_retry'],
};

export function define(program: Command): void {
  program
    .command('resume')
    .argument('[id]', 'INC-3 or 3; the only open one by default')
    .description('resolve an emergency stop, or let runs continue that a policy stopped, with a new budget')
    .option(
      '--option <option>',
      'resume_with_limits, rollback_and_retry, manual_intervention (you approve each action) or abort; without it: the choices',
    )
    .option('--reason <text>', 'why, for the record')
    .action(actionOf(run, true));
}

export async function run(call: Call, id: string | null = null, options: Partial<ResumeInput> = {}) {
  const { resume } = await import('../../app/commands/resume.ts');
  const { option = null, reason = null } = options;
  await call.print(
    await resume({
      ...call,
      id,
      option,
      reason,
      ask: atTerminal(call)(async (...asked) => (await import('../ask-trust.ts')).askOption(...asked)),
    }),
    resumeText,
  );
}

type Continued = Extract<ResumeResult, { policy: unknown }>;
type Resolved = Exclude<ResumeResult, Choices | Continued>;

export function resumeText(data: ResumeResult, terminal: Terminal): string {
  if ('policy' in data) return continuedText(data, terminal);
  return 'options' in data ? choicesText(data, terminal) : resolvedText(data, terminal);
}

function continuedText({ policy, new_budget, next }: Continued, { style, para }: Terminal): string {
  const lines = [
    policy === null
      ? `${style.green('✔')} Nothing had stopped the runs.`
      : `${style.green('✔')} Runs can continue.`,
    ...(policy === null ? [] : [para(`${policy.run} was stopped: ${policy.reason}`, '  ')]),
    ...(new_budget === null
      ? []
      : [para(`A new budget begins with the next run: ${budgetText(new_budget.limits, NO_COST)}.`, '  ')]),
  ];
  return [...lines, `Next: ${next}`].join('\n');
}

function resolvedText(data: Resolved, { style, para }: Terminal): string {
  const { incident, option, task_id, still_open, next } = data;
  const lines = [`${style.green('✔')} ${style.bold(incident)} is resolved with ${option}.`];
  lines.push(...effectsOf(data).map((text) => para(text, '  ')));
  for (const { what, done, items } of data.cleanup ?? []) {
    lines.push(para(what, `  ${done ? style.green('✔') : style.yellow('!')} `));
    lines.push(...items.map((item) => `      ${item}`));
  }
  for (const text of data.warnings ?? []) lines.push(style.yellow(para(text, '  ')));
  if (still_open.length > 0) {
    lines.push(style.yellow(`Still open: ${still_open.join(', ')}.`));
  }
  const back = next === unblockCommand(task_id) ? `To give ${task_id} back to the agent` : 'Next';
  return [...lines, `${back}: ${next}`].join('\n');
}

function effectsOf(data: Resolved): readonly string[] {
  const { task_id, limits, rollback } = data;
  if (limits !== undefined) {
    return [
      `Until ${task_id} is done: ${limitsText(limits)}.`,
      "Its agent may read, write files of the project, and run commands that only read or are gates. It isn't started where its actions can't be stopped.",
    ];
  }
  if (rollback !== undefined) {
    const { checkpoint, changed, task, reopened, warnings = [] } = rollback;
    const paths = counted(changed, 'path');
    return [
      `The copy is as it was at checkpoint ${checkpoint} (${paths} changed); ${task_id} starts again.`,
      ...(task === null ? [] : [keptText(takeCommand(task))]),
      ...(reopened.length === 0 ? [] : [`Open again: ${reopened.join(', ')}.`]),
      ...warnings,
    ];
  }
  return data.option === 'manual_intervention'
    ? [
        `Each write, deletion and command of ${task_id} waits for you: ralph approvals`,
        `That ends when it is done, or with: ${unblockCommand(task_id)}`,
      ]
    : [`${task_id} is blocked.`];
}

function limitsText(limits: NonNullable<Resolved['limits']>): string {
  const { file_operations, memory_mb, tokens, execution_seconds, batch_size } = limits;
  const parts = [
    file_operations > 0 ? `${file_operations} file operations` : '',
    memory_mb > 0 ? `${memory_mb} MiB of memory` : '',
    tokens > 0 ? `${tokens} tokens` : '',
    execution_seconds > 0 ? formatDuration(execution_seconds * 1000) : '',
    batch_size > 0 ? `${batch_size} criteria at a time` : '',
  ].filter((part) => part !== '');
  return parts.length === 0
    ? 'no limits are known that could be halved'
    : `at most ${parts.join(', ')} an attempt`;
}
