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
import { redact } from '../../lib/redact.ts';
import { shortened } from '../../lib/text.ts';
import {
  type AvoidanceFinding,
  type Readable,
  readablePart,
  reviewDiff,
  type TestFile,
} from '../../proof/avoidance/index.ts';
import { compareResults, coverageOf, failingBefore, switchedOff } from '../../proof/results/index.ts';
import { triggersOf, whitelistedBy } from '../../respond/human/index.ts';
import { countsOf } from '../human-gate.ts';

type Reviewed = Pick<IterationFacts, 'task' | 'commandRuns' | 'baseline' | 'endedAt'>;

/** Files that changed, and their diff, which may end before some of them. */
export type WholeDiff = { readonly changes: ChangeSet; readonly patch: string };

/** Characters of a diff that are reviewed, by whole files: some 5,000 changed lines take a tenth of a second. */
export const MOST_REVIEWED = 400_000;
/** Findings that are kept, the surest, and characters of a text of theirs. */
const MOST_FINDINGS = 30;
const LONGEST_TEXT = 500;

/**
 * What an attempt's diff shows of avoided work, seen beside its task and what the gates report.
 */
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

/** Findings as they are kept, the surest; with the whitelist entry, or your approval of the action, by which one is none. */
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

/** Findings of a task that you called fine, each with the request at which you did. */
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

/** Options by which a change is as it should be. */
const FINE: ReadonlySet<string> = new Set(['approve', 'legitimate', 'whitelist']);

/** How the kinds of these findings fared at the gates. */
export function kindsOf(
  found: readonly FoundAvoidance[],
  detections: HumanState['detections'],
): HumanState['detections'] {
  const categories = new Set(found.map(({ category }) => category));
  return Object.fromEntries(Object.entries(detections).filter(([category]) => categories.has(category)));
}

/** Changed files that the diff ends before; of a submodule it names the folder alone. */
function notIn({ read, left }: Pick<Readable, 'read' | 'left'>, { changes }: ChangeSet): string[] {
  const named = new Set([...read, ...left]);
  const isBelow = (path: string) => [...named].some((folder) => path.startsWith(`${folder}/`));
  return changes.map(({ path }) => path).filter((path) => !named.has(path) && !isBelow(path));
}

function kept(text: string | null): string | null {
  return text === null ? null : shortened(redact(text, []), LONGEST_TEXT);
}

/** What an action would make of files, beside what those before it in the attempt made of others. */
export type Asked = {
  readonly task: Task;
  readonly agent: string;
  readonly at: string;
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Those that the action itself changes. */
  readonly own: readonly string[];
};

/**
 * The gate for destructive actions as an action opens it before it happens: tests removed, features removed, assertions
 * weakened, tests skipped, counted net over what the attempt made so far. `null`: it needs no decision of yours.
 *
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
    ...{ taskId: task.id, title: task.title, agent, detectedAt: at },
    ...countsOf({ acting: judged.acting, unsure: [], warned: [] }),
    featureRemovalApproved: task.owner !== null && task.removalApprovedBy === task.owner,
  };
  const { triggers } = triggersOf('GATE-AP-DESTRUCTIVE', facts, gates);
  if (triggers.length === 0) return null;
  const draft = { gate: 'GATE-AP-DESTRUCTIVE' as const, facts, triggers: [...triggers], action: null };
  return { draft, signs: judged.acting.map(signOf) };
}
