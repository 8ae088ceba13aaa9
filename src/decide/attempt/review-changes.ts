import {
  type AvoidanceFinding,
  type Readable,
  readablePart,
  reviewDiff,
  type TestFile,
} from 'ralph-diff-review';
import { redact } from 'ralph-kit/redact';
import { shortened } from 'ralph-kit/text';
import type { ChangeSet } from '../../domain/change-set.ts';
import { gatesIn } from '../../domain/command-runs.ts';
import {
  type AvoidanceFacts,
  type FoundAvoidance,
  judgedAvoidance,
  NO_AVOIDANCE,
  signOf,
} from '../../domain/findings/avoidance.ts';
import { type GateDraft, type GateFacts, NO_GATE_FACTS } from '../../domain/human/gate.ts';
import type { HumanSettings } from '../../domain/human/settings.ts';
import type { HumanState } from '../../domain/human/state.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { goalText, type Task } from '../../domain/task.ts';
import { compareResults, coverageOf, failingBefore, switchedOff } from '../../proof/results/index.ts';
import { triggersOf, whitelistedBy } from '../../respond/human/index.ts';
import { countsOf } from '../human-gate.ts';

type Reviewed = Pick<IterationFacts, 'task' | 'commandRuns' | 'baseline' | 'endedAt'>;

/** Changed files with their diff, which may be cut before the last files. */
export type WholeDiff = { readonly changes: ChangeSet; readonly patch: string };

/**
 * Maximum number of characters of a diff that are reviewed, in whole files. Some 5,000 changed lines take a tenth of a
 * second.
 */
export const MOST_REVIEWED = 400_000;
/** Maximum number of findings that are kept: those with the highest confidence. */
const MOST_FINDINGS = 30;
/** Maximum number of characters of each text of a finding. */
const LONGEST_TEXT = 500;

/** Returns the signs of avoided work in an attempt's diff, judged with its task and its gates' results. */
export function reviewChanges(
  { task, commandRuns, baseline, endedAt }: Reviewed,
  { changes, patch }: WholeDiff,
  human: Pick<HumanState, 'whitelist' | 'detections' | 'decided'>,
  tests: readonly TestFile[] = [],
): AvoidanceFacts {
  const results = compareResults(gatesIn({ commandRuns }), baseline);
  const coverage = coverageOf(results);
  if (patch === '' && coverage === null) return NO_AVOIDANCE;
  const part = readablePart(patch, MOST_REVIEWED);
  const { findings, gone } = reviewDiff(
    { patch: part.patch },
    {
      goal: goalText(task),
      failing: failingBefore(baseline),
      switchedOff: switchedOff(results),
      ...(coverage === null ? {} : { coverage }),
      tests,
      unread: [...part.left, ...notIn(part, changes)],
    },
  );
  const found = recordedFindings(findings, { taskId: task.id, at: endedAt }, human);
  const fine = approvedSigns(human.decided, task.id);
  return {
    findings: found,
    testsGone: gone.tests,
    featuresGone: gone.features
      .slice(0, MOST_FINDINGS)
      .map((one) => kept(one) ?? '')
      .filter((one) => !fine.has(one)),
    detections: kindsOf(found, human.detections),
  };
}

/**
 * Returns the findings to record, those with the highest confidence first. Each has the whitelist entry or approval
 * that allows it.
 */
export function recordedFindings(
  findings: readonly AvoidanceFinding[],
  { taskId, at }: { readonly taskId: string; readonly at: string },
  { whitelist, decided }: Pick<HumanState, 'whitelist' | 'decided'>,
): FoundAvoidance[] {
  const entries = whitelist.filter(({ removedAt }) => removedAt === null);
  const approved = approvedSigns(decided, taskId);
  return findings.slice(0, MOST_FINDINGS).map(({ level: _level, ...one }): FoundAvoidance => {
    const { category: pattern, path } = one;
    const found = {
      ...one,
      before: kept(one.before),
      after: kept(one.after),
      reason: kept(one.reason) ?? '',
      evidence: [...one.evidence],
    };
    const entry = whitelistedBy(entries, { pattern, path }, at);
    return { ...found, whitelisted: entry?.id ?? approved.get(signOf(found)) ?? null };
  });
}

/** Returns the findings about the task that you accepted, each with its request. */
function approvedSigns(decided: HumanState['decided'], taskId: string): ReadonlyMap<string, string> {
  const isFine = ({ option, request }: HumanState['decided'][number]) =>
    request.facts.taskId === taskId && FINE.has(option) && request.gate !== 'GATE-AP-RECOVERY';
  return new Map(
    decided
      .filter(isFine)
      .flatMap(({ request: { id, facts, action } }) =>
        (action === null ? facts.signs : (action.signs ?? [])).map((sign): [string, string] => [sign, id]),
      ),
  );
}

const FINE: ReadonlySet<string> = new Set(['approve', 'legitimate', 'whitelist']);

export function kindsOf(
  found: readonly FoundAvoidance[],
  detections: HumanState['detections'],
): HumanState['detections'] {
  const categories = new Set(found.map(({ category }) => category));
  return Object.fromEntries(Object.entries(detections).filter(([category]) => categories.has(category)));
}

/** Returns changed files that the cut diff lacks. For a submodule, the diff names only the folder. */
function notIn({ read, left }: Pick<Readable, 'read' | 'left'>, { changes }: ChangeSet): string[] {
  const named = new Set([...read, ...left]);
  const isBelow = (path: string) => [...named].some((folder) => path.startsWith(`${folder}/`));
  return changes.map(({ path }) => path).filter((path) => !named.has(path) && !isBelow(path));
}

function kept(text: string | null): string | null {
  return text === null ? null : shortened(redact(text, []), LONGEST_TEXT);
}

/** Content that an action would write to files, with changes by earlier actions of the attempt. */
export type Asked = {
  readonly task: Task;
  readonly agent: string;
  readonly at: string;
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly own: readonly string[];
};

/**
 * Returns the request for a destructive action before it happens; `null`: you needn't decide. Removed tests and
 * features, weakened assertions and skipped tests are counted net over the attempt so far.
 * @see spec 5-human-gates, Human gates
 */
export function gateBefore(
  { task, agent, at, files, own }: Asked,
  human: Pick<HumanState, 'whitelist' | 'detections' | 'decided'>,
  gates: HumanSettings['gates'],
): { readonly draft: GateDraft; readonly signs: string[] } | null {
  const { findings } = reviewDiff({ files }, { goal: goalText(task) });
  const found = recordedFindings(
    findings.filter(({ path }) => own.includes(path)),
    { taskId: task.id, at },
    human,
  );
  const judged = judgedAvoidance({ findings: found, detections: kindsOf(found, human.detections) });
  const facts: GateFacts = {
    ...NO_GATE_FACTS,
    taskId: task.id,
    title: task.title,
    agent,
    detectedAt: at,
    ...countsOf({ acting: judged.acting, unsure: [], warned: [] }),
    featureRemovalApproved: task.owner !== null && task.removalApprovedBy === task.owner,
  };
  const { triggers } = triggersOf('GATE-AP-DESTRUCTIVE', facts, gates);
  if (triggers.length === 0) return null;
  const draft = { gate: 'GATE-AP-DESTRUCTIVE' as const, facts, triggers: [...triggers], action: null };
  return { draft, signs: judged.acting.map(signOf) };
}
