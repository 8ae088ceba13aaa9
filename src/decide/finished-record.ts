import {
  type ByHooks,
  type ChangeSet,
  GITLINK,
  type InnerRepository,
  pathsOf,
} from '../domain/change-set.ts';
import { checksIn, flakyIn, gatesIn, passedElsewhereIn, redOnLineIn } from '../domain/command-runs.ts';
import { avoidanceLine, judgedAvoidance, SIGNS_KEPT } from '../domain/findings/avoidance.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { Recovery } from '../domain/human/recovery.ts';
import type { IncidentReport, IncidentSummary } from '../domain/incident.ts';
import {
  CarriedDecisions,
  DECIDER_VERSION,
  DecisionSections,
  FactSections,
  type IterationDecisions,
  type IterationDocument,
  type IterationFacts,
  inSections,
} from '../domain/records/iteration.ts';
import type { JournalBodyOf } from '../domain/records/journal.ts';
import type { State } from '../domain/records/state.ts';
import { summaryOf } from '../lib/actions/review-record.ts';
import { shellQuote } from '../lib/shell-quote.ts';
import { firstFew, onOneLine, pathText } from '../lib/text.ts';
import { outputsIn } from '../proof/findings/index.ts';
import { installsFor, nextBaseline } from '../proof/gates/index.ts';
import { countMutants, survivorSigns } from '../proof/shown/index.ts';
import { type IncidentInput, incidentReport } from '../respond/intervene/index.ts';
import { summarise } from './attempt/summarise.ts';
import { nextSources } from './gates/compare-sources.ts';
import { criteriaOnRecord } from './rooms/changes.ts';

type Finished = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly specs: readonly GateSpec[];
  /** SHA-256 of the bytes of `iteration.json`. */
  readonly recordSha256: string;
  /** Number of the newest event on record. */
  readonly lastEvent: number;
  /** Number of the newest recovery on record. */
  readonly lastRecovery: number;
  /** What the work may cost, and has cost with it; `null`: there is no limit. */
  readonly budget: JournalBodyOf<'iteration_finished'>['budget'];
};

/** `iteration.json` of a finished iteration. */
export function iterationRecord(facts: IterationFacts, decisions: IterationDecisions): IterationDocument {
  return {
    $schema: 'ralph.iteration.v1',
    decider: DECIDER_VERSION,
    review_summary: summaryOf(facts.review.numbers),
    blocked_actions: facts.review.blocked,
    facts: inSections(FactSections, facts),
    decisions: inSections(DecisionSections, decisions),
  };
}

/** What the journal keeps of a finished iteration: enough to fold the state from. */
export function finishedRecord(finished: Finished): JournalBodyOf<'iteration_finished'> {
  const { facts, decisions, recordSha256, lastEvent, lastRecovery } = finished;
  const { run, iteration, worker, worktree, task, changes, endedAt } = facts;
  const others = new Set(outputsIn(facts));
  return {
    type: 'iteration_finished',
    run,
    iteration,
    worker,
    worktree,
    taskId: task.id,
    title: task.title,
    level: facts.level,
    ...(facts.machine === undefined ? {} : { machine: facts.machine }),
    attempt: summarise(facts, decisions),
    waitedMs: facts.waitedMs,
    ...CarriedDecisions.parse(decisions),
    recovering: numbered(decisions.recovering, lastRecovery),
    noFiles: decisions.findings.some(({ type }) => type === 'no_files'),
    falseCompletion: decisions.findings.some(({ type }) => type === 'false_completion'),
    signs: signsOf(facts, decisions),
    grade: decisions.proof.grade,
    mutants: countMutants(facts),
    criteria: criteriaOnRecord(facts),
    reviews: facts.review.numbers,
    left: facts.review.left,
    evidenceCount: decisions.claim.evidence.length,
    treeChanged: changes.before.tree !== changes.after.tree,
    events: decisions.events.map((draft, index) => ({
      id: `e-${lastEvent + 1 + index}`,
      iteration,
      run,
      worker,
      ...draft,
      timestamp: endedAt,
    })),
    interventions: decisions.interventions.map(({ record }) => record),
    rollback: rollbackOf(facts, decisions),
    changedPaths: pathsOf(changes).filter((path) => !others.has(path)),
    commits: changes.commits.map(({ id }) => id),
    leftTree: facts.leftTree,
    baseline: baselineAfter(finished),
    lessons: facts.lessons.map(({ key }) => key),
    recordSha256,
    budget: finished.budget,
    head: facts.head,
  };
}

/** Tests of before that fail as they were. */
function demandSigns(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `changes what tests of before demand: ${firstFew(
      names.map((name) => onOneLine(name)),
      PATHS_NAMED,
    )}`,
  ];
}

/** What there is to look at in the work, each on a line. */
export function signsOf(
  facts: IterationFacts,
  { proof: { changedDemands, lowered }, findings }: Pick<IterationDecisions, 'proof' | 'findings'>,
): string[] {
  const { avoidance, runsOnOpen, series, changes, proof } = facts;
  const warned = judgedAvoidance(avoidance).warned.slice(0, SIGNS_KEPT).map(avoidanceLine);
  const there = (series?.changes ?? changes).changes.filter(({ kind }) => kind !== 'deleted');
  const opened = firstFew(runsOnOpen.map(pathText), PATHS_NAMED);
  return [
    ...warned,
    ...findings.filter(({ type }) => type === 'scope_creep').map(({ summary }) => summary),
    ...demandSigns(changedDemands),
    ...flakyIn(facts).map((name) => `gate "${name}" failed once and passed on the same files`),
    ...redOnLineIn(facts).map(({ name }) => `gate "${name}" fails on your branch without it`),
    ...passedElsewhereIn(facts)
      .filter(({ decides }) => decides)
      .map(({ gate }) => `gate "${gate}" ran in the agent's copy, with what it installed there`),
    ...lowered,
    ...checksIn(facts)
      .filter(({ before }) => before.kind === 'passed')
      .map(({ command }) => `check ${command} was true before the work`),
    ...(proof?.leftOut ?? []).map((what) => `not run, as it takes longer than [proof] max_time: ${what}`),
    ...survivorSigns(facts),
    ...facts.repositories.map(repositorySign),
    ...hookSigns(facts.byHooks),
    ...submoduleSigns(facts, series?.changes ?? changes),
    ...(opened === '' ? [] : [`runs something when you open it: ${opened}`]),
    ...installsFor(there.map(({ path }) => path)).map(
      ({ file, run }) => `changes ${file}: your checkout needs ${run}`,
    ),
  ];
}

const PATHS_NAMED = 5;

function repositorySign({ path, kept, leadsTo }: InnerRepository): string {
  const elsewhere =
    leadsTo === null
      ? ''
      : `; its git folder isn't kept, as it lies outside of the work: ${pathText(leadsTo)}`;
  const where = kept === null ? elsewhere : `; its git folder is kept in ${pathText(kept)}`;
  return `${pathText(path)} was a repository, and its files are committed as plain files${where}`;
}

function hookSigns({ changed, tookOut }: ByHooks): string[] {
  const named = (paths: readonly string[]) => firstFew(paths.map(pathText), PATHS_NAMED);
  return [
    ...(changed.length === 0 ? [] : [`your commit hooks changed ${named(changed)}`]),
    ...(tookOut.length === 0 ? [] : [`your commit hooks took ${named(tookOut)} out of its commit`]),
  ];
}

/** What a checkout needs where a submodule came, moved or went: files in one are never written by a landing. */
function submoduleSigns(
  { pointers, settings }: Pick<IterationFacts, 'pointers' | 'settings'>,
  { changes }: Pick<ChangeSet, 'changes'>,
): string[] {
  const there = changes.filter(({ kind, newMode }) => kind !== 'deleted' && newMode === GITLINK);
  const gone = changes.filter(
    ({ kind, oldMode, newMode }) => oldMode === GITLINK && (kind === 'renamed' || newMode !== GITLINK),
  );
  return [
    ...there.map(({ path, kind }) => {
      const commit = pointers.find((one) => one.path === path)?.commit;
      const name = shellQuote(path);
      const update = `git submodule update --init ${name}`;
      const entry = shellQuote(`${GITLINK},${commit},${path}`);
      const staged =
        kind === 'modified'
          ? `git -C ${name} fetch && git -C ${name} checkout ${commit}`
          : `git update-index --add --cacheinfo ${entry} && ${update}`;
      const needs = settings.commits || commit === undefined ? update : staged;
      return `changes the submodule ${pathText(path)}: your checkout needs ${needs}`;
    }),
    ...gone
      .filter(({ kind }) => kind !== 'type_changed')
      .map(({ path, oldPath }) => {
        const left = pathText(oldPath ?? path);
        const to = oldPath === null ? "isn't a submodule any more" : `is now the submodule ${pathText(path)}`;
        return `${left} ${to}: your checkout keeps the files in ${left}`;
      }),
  ];
}

/** A recovery that begins gets its id with its record. */
function numbered(recovery: Recovery | null, last: number): Recovery | null {
  if (recovery === null || recovery.id !== '') return recovery;
  return { ...recovery, id: `RS-${String(last + 1).padStart(3, '0')}` };
}

/** On record before anything is touched: a run that is killed in between goes back anyway. */
function rollbackOf({ checkpoints }: IterationFacts, { verdict }: IterationDecisions) {
  if (verdict.kind !== 'rolled_back') return null;
  const target = checkpoints.find(({ id }) => id === verdict.checkpoint);
  if (target === undefined) throw new Error(`${verdict.checkpoint} isn't a checkpoint of the facts`);
  return { checkpoint: target.id, tree: target.tree };
}

/** How the gates stand on the tree of a task that is done; what an unfinished attempt left doesn't show that. */
function baselineAfter({ facts, decisions, specs }: Finished) {
  if (specs.length === 0 || decisions.taskStatus !== 'done') return null;
  return nextBaseline({
    previous: facts.baseline,
    specs,
    fresh: gatesIn(facts),
    tree: facts.testedTree,
    at: facts.endedAt,
    sources: nextSources(facts.baseline, specs, facts.gateSources.at(-1) ?? {}, true),
  });
}

export type OpenedIncident = { readonly incident: IncidentSummary; readonly report: IncidentReport };

/** The incident that follows from an iteration; `null` where none does. */
export function incidentOf(
  { secrets, home }: Pick<IncidentInput, 'secrets' | 'home'>,
  facts: IterationFacts,
  decisions: IterationDecisions,
  { counters, events }: Pick<State, 'counters' | 'events'>,
): OpenedIncident | null {
  const stop = decisions.interventions.find(({ plan }) => plan.type === 'emergency_stop');
  if (stop?.plan.type !== 'emergency_stop') return null;
  const id = `INC-${counters.incident + 1}`;
  const { issue, severity } = stop.record;
  const { scope } = stop.plan;
  const { run, iteration, task, endedAt: at } = facts;
  const refused = events.filter(
    (event) => event.event_type === 'command_refused' && event.run === run && event.iteration === iteration,
  );
  const report = incidentReport({ id, facts, decisions, stop, refused, secrets, home });
  const { summary } = report;
  const incident = {
    id,
    at,
    run,
    iteration,
    taskId: task.id,
    issue,
    severity,
    summary,
    scope,
    resolved: null,
  };
  return { incident, report };
}
