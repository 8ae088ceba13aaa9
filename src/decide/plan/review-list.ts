import { formatDuration } from 'ralph-kit/duration';
import { shellQuote } from 'ralph-kit/shell-quote';
import { shortened } from 'ralph-kit/text';
import { MANY_CRITERIA } from '../../domain/plan.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { saysSomething } from '../../proof/evidence/index.ts';
import { limitsOf, type PlanWorld } from './planned-tasks.ts';

/** Words that readers understand differently, unless a measure is beside them. */
const VAGUE =
  /\b(?:works?|working|properly|correctly|appropriate(?:ly)?|robust(?:ly)?|clean(?:ly)?|good|nice(?:ly)?|fast|quick(?:ly)?|efficient(?:ly)?|better|improved?|user[- ]friendly|intuitive|easy|easily|simple|flexible|scalable|modern|as expected|as needed|if necessary|etc|and so on|handles? (?:errors?|edge cases?))\b/i;
/** Matches a measure: code, a quotation, a number or a path. */
const MEASURE = /`[^`]+`|"[^"]+"|“[^”]+”|\d|\w\/\w|\.\w{1,5}\b/;
const QUOTED = 80;

export type ReviewedTask = {
  readonly id: string;
  readonly title: string;
  readonly findings: readonly string[];
  /** Command that helps; `null`: you have to edit the list. */
  readonly next: string | null;
};

/**
 * Returns suggestions for each unfinished task that is vague, too large or can't be checked, by its text and by the
 * records only.
 */
export function reviewTasks(
  world: Pick<PlanWorld, 'tasks' | 'mode' | 'settings' | 'profile' | 'gates'>,
  state: State,
): ReviewedTask[] {
  const longest = limitsOf(world).at(-1)?.seconds ?? 0;
  return world.tasks
    .filter(({ status }) => status !== 'done')
    .flatMap((task) => {
      const size = sizeFindings(task, state, longest);
      const findings = [...vagueFindings(task), ...proofFindings(task, world.gates), ...size];
      const next = size.length === 0 ? null : `ralph tasks split ${shellQuote(task.id)}`;
      return findings.length === 0 ? [] : [{ id: task.id, title: task.title, findings, next }];
    });
}

function vagueFindings({ acceptance, checks }: Task): string[] {
  if (checks.length > 0) return [];
  return acceptance
    .filter((text) => !saysSomething({ acceptance: [text] }) && VAGUE.test(text) && !MEASURE.test(text))
    .map((text) => `vague: "${shortened(text, QUOTED)}" says nothing that can be looked for`);
}

function proofFindings({ acceptance, checks, kind, problem }: Task, gates: readonly string[]): string[] {
  if (problem !== null || kind !== 'build' || checks.length > 0 || saysSomething({ acceptance })) return [];
  const what =
    acceptance.length === 0
      ? 'it has no criteria and no check'
      : 'no check, and no criterion that files show';
  return [gates.length === 0 ? `${what}, and there are no gates` : `${what}: the gates alone decide`];
}

function sizeFindings({ id, acceptance, timeoutSeconds }: Task, state: State, longest: number): string[] {
  const cutOff = taskStateOf(state, id).attempts.filter(
    ({ verdict, timeoutSeconds: limit }) => verdict === 'timed_out' && limit >= longest,
  );
  const limit = formatDuration(longest * 1000);
  return [
    ...(acceptance.length > MANY_CRITERIA ? [`large: ${acceptance.length} criteria in one task`] : []),
    ...(timeoutSeconds !== null && timeoutSeconds > longest
      ? [`large: it asks for ${formatDuration(timeoutSeconds * 1000)}, and the longest limit is ${limit}`]
      : []),
    ...(cutOff.length > 0 ? [`large: an attempt used up the longest limit of ${limit}`] : []),
  ];
}
