import { bullets } from 'ralph-kit/markdown';
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
import { needsResume } from '../respond/table.ts';
import { RESUME, RUN } from './commands.ts';

export type HandOff = {
  /** Time of the hand-off, ISO 8601 UTC. */
  readonly at: string;
  /** Id of the newest run. */
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
  /** Command with which work continues (`continueCommand`). */
  readonly continues: string;
};

const SPENT_NAMES: Readonly<Record<CostKind, string>> = {
  usd: 'Money',
  tokens: 'Tokens',
  iterations: 'Iterations',
  ms: 'Wall time',
};

/** Returns the text of `.ralph/control-center.md`, for whoever continues the work. */
export function controlCenter(facts: HandOff): string {
  const { at, run, tasks, current, stop, saved, limits, spent, quality, continues } = facts;
  const isRaised = continues === RESUME && stop?.kind === 'budget' && !needsResume(stop);
  const share = budgetShare(limits, spent);
  const { total, done, blocked } = tasks;
  const isLeft = done + blocked + facts.waiting.length < total;
  // Not every agent reports money.
  const known = COST_KINDS.filter((by) => by !== 'usd' || limits.usd > 0 || spent.usd > 0);
  const spend = known.map((by) => {
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
    ...(continues === RUN ? [] : [`${code(continues)}, then ${code(RUN)}`]),
    ...(continues === RUN && isLeft ? [code(RUN)] : []),
    ...(!isLeft && blocked > 0 ? [code('ralph blocked --suggest')] : []),
    // Settings may be edited without a command that could write this file again.
    ...(isRaised ? [`${code(RUN)} alone after you raised [budget]`] : []),
    code('ralph report'),
    code(`ralph checkpoints diff ${saved}`),
  ];
  return `${[
    '# Control center',
    `Written by ralph at ${at}, after run ${run}. It is written again at each checkpoint and when a command changes something.`,
    section('Where it stands', [
      `${done} of ${total} tasks are done, ${blocked} blocked.`,
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
