import { bullets } from 'ralph-kit/markdown';
import type { Incidents } from '../domain/incident.ts';
import {
  budgetShare,
  COST_KINDS,
  type Cost,
  type CostKind,
  costText,
  type PolicyState,
  type PolicyStop,
  spentText,
} from '../domain/policy.ts';
import { continueCommand, RUN } from './commands.ts';

export type HandOff = {
  /** Time of the hand-off, ISO 8601 UTC. */
  readonly at: string;
  readonly run: string;
  readonly tasks: { readonly total: number; readonly done: number; readonly blocked: number };
  /** One line for each task that this run finished. */
  readonly done: readonly string[];
  readonly blocked: readonly string[];
  readonly waiting: readonly string[];
  /** Id of the running task; `null`: no task is running. */
  readonly current: string | null;
  readonly limits: Cost;
  readonly spent: Cost;
  readonly quality: PolicyState['quality'];
  /** Id of the checkpoint with the saved work. */
  readonly saved: string;
  readonly stop: PolicyStop | null;
  readonly incidents: Incidents['incidents'];
};

const SPENT_NAMES: Readonly<Record<CostKind, string>> = {
  usd: 'Money',
  tokens: 'Tokens',
  iterations: 'Iterations',
  ms: 'Wall time',
};

/** Returns the text of `.ralph/control-center.md`, for whoever continues the work. */
export function controlCenter(facts: HandOff): string {
  const { at, run, tasks, current, stop, saved, limits, spent, quality, incidents } = facts;
  const next = continueCommand({ incidents, policy: { stop } });
  const share = budgetShare(limits, spent);
  const spend = COST_KINDS.map((by) => {
    const text = limits[by] > 0 ? spentText(limits, spent, by) : costText(spent[by], by);
    return `${SPENT_NAMES[by]}: ${text}`;
  });
  const { first, last } = quality;
  const scores =
    first === null || last === null
      ? []
      : [
          `First task (${first.taskId}): ${first.score.toFixed(2)}`,
          `Last task (${last.taskId}): ${last.score.toFixed(2)}`,
        ];
  const commands = [
    next === RUN ? code(RUN) : `${code(next)}, then ${code(RUN)}`,
    code('ralph report'),
    code(`ralph checkpoints diff ${saved}`),
  ];
  return `${[
    '# Control center',
    `Written by ralph at ${at} for run ${run}. It is replaced at the next checkpoint.`,
    section('Where it stands', [
      `${tasks.done} of ${tasks.total} tasks are done, ${tasks.blocked} blocked.`,
      ...(current === null ? [] : [`In progress: ${current}`]),
      ...(stop === null ? [] : [`Stopped: ${stop.reason}`]),
    ]),
    section('Done in this run', facts.done),
    section('Blocked', facts.blocked),
    section('Waiting for you', facts.waiting),
    section(share === null ? 'Spent' : `Spent (${Math.floor(share.share * 100)} % of the budget)`, spend),
    section('Quality', scores),
    section(
      'Unresolved findings',
      (stop?.trigger?.unresolved ?? []).map(({ severity, summary }) => `${severity}: ${summary}`),
    ),
    section('Work in progress', [`Saved as checkpoint ${saved}.`]),
    section('Next', commands),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${bullets(lines)}`;
}

function code(command: string): string {
  return `\`${command}\``;
}
