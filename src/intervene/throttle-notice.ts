import type { Growth, Limits } from '../domain/intervention.ts';
import { GROWTH_STEPS } from '../domain/ladders.ts';
import type { Task } from '../domain/task.ts';
import { formatDuration } from '../lib/duration.ts';
import { bullets } from '../lib/markdown.ts';

/** Notice of the limits that hold now, with guidance for what grew; Markdown for the next prompts. */
export function throttleNotice(limits: Limits, growth: Growth, task: Pick<Task, 'acceptance'>): string {
  return [
    '**LIMITS**: the limits of your attempts at this task are lowered. An attempt that crosses one is ended.',
    bullets([...said(limits, task), ...guidance(growth)]),
  ].join('\n\n');
}

/** What the limits are, one line each; a limit of 0 is none. */
function said(limits: Limits, { acceptance }: Pick<Task, 'acceptance'>): readonly string[] {
  const { fileOperations, memoryMb, tokens, executionSeconds, batchSize } = limits;
  return [
    ...(fileOperations === 0 ? [] : [`File operations: at most ${fileOperations}.`]),
    ...(memoryMb === 0 ? [] : [`Memory of all your processes together: at most ${memoryMb} MiB.`]),
    ...(tokens === 0 ? [] : [`Tokens: at most ${tokens}.`]),
    ...(executionSeconds === 0 ? [] : [`Time: at most ${formatDuration(executionSeconds * 1000)}.`]),
    ...(batchSize === 0 || batchSize >= acceptance.length
      ? []
      : [
          `Acceptance criteria: work at the first ${batchSize === 1 ? 'one' : batchSize} not yet met, then end with IN_PROGRESS.`,
        ]),
  ];
}

const GUIDANCE: Readonly<Record<keyof Growth, string>> = {
  fileOperations:
    'Open a file once, and change it in one edit; search instead of opening one file after another.',
  memory: 'Do not start several builds, servers or test runs at once; process data piece by piece.',
  tokens: 'Do not print whole files or long outputs; read the part that you need.',
  time: 'Run the one test that matters, not all of them, until the work is nearly there.',
};

function guidance(growth: Growth): readonly string[] {
  const resources = ['fileOperations', 'memory', 'tokens', 'time'] as const;
  const grown = resources.filter((resource) => growth[resource] > GROWTH_STEPS.moderate);
  const told = grown.map((resource) => GUIDANCE[resource]);
  return [
    ...told,
    'Write what you have into the files early: what is there when a limit ends you stays there.',
  ];
}
