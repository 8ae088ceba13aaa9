import { summaryOf } from 'ralph-actions/forms/record';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew, onOneLine, pathText } from 'ralph-kit/text';
import {
  type ByHooks,
  type ChangeSet,
  GITLINK,
  type InnerRepository,
  pathsOf,
} from '../domain/change-set.ts';
import { checksIn, flakyIn, gatesIn, gatesPassedElsewhere, runsRedOnLine } from '../domain/command-runs.ts';
import { avoidanceLine, judgedAvoidance, SIGNS_KEPT } from '../domain/findings/avoidance.ts';
import type { GateSpec } from '../domain/gate.ts';
import type { Recovery } from '../domain/human/recovery.ts';
import type { IncidentReport, IncidentSummary } from '../domain/incident.ts';
import {
  CarriedDecisions,
  DECIDER_VERSION,
  FactSections,
  type IterationDecisions,
  type IterationFacts,
  type IterationRecord,
  inSections,
  together,
} from '../domain/records/iteration.ts';
import type { JournalBodyOf } from '../domain/records/journal.ts';
import type { State } from '../domain/records/state.ts';
import { outputsIn } from '../proof/findings/index.ts';
import { installsFor, nextBaseline } from '../proof/gates/index.ts';
import { countMutants, survivorSigns } from '../proof/shown/index.ts';
import { checkpointOf, type IncidentInput, incidentReport } from '../respond/intervene/index.ts';
import { summarise } from './attempt/summarise.ts';
import { nextSources } from './gates/compare-sources.ts';
import { criteriaOnRecord } from './rooms/changes.ts';

type Finished = {
  readonly facts: IterationFacts;
  readonly decisions: IterationDecisions;
  readonly specs: readonly GateSpec[];
  /** SHA-256 of the iteration's `iteration.json`. */
  readonly recordSha256: string;
  readonly lastEvent: number;
  readonly lastRecovery: number;
  /** Limits of the budget, and costs with this work; `null`: no limit is set. */
  readonly budget: JournalBodyOf<'iteration_finished'>['budget'];
};

export function iterationRecord(facts: IterationFacts, decisions: IterationDecisions): IterationRecord {
  return {
    $schema: 'ralph.iteration.v1',
    decider: DECIDER_VERSION,
    review_summary: summaryOf(facts.review.numbers),
    blocked_actions: facts.review.blocked,
    facts: together(inSections(FactSections, facts)),
    decisions,
  };
}

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
    ...(facts.observed.retries === undefined ? {} : { retries: facts.observed.retries }),
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
    interventions: [...decisions.interventions.map(({ record }) => record), ...decisions.leftOut],
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

function demandSigns(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `changes what tests of before demand: ${firstFew(
      names.map((name) => onOneLine(name)),
      PATHS_NAMED,
    )}`,
  ];
}

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
    ...runsRedOnLine(facts).map(({ name }) => `gate "${name}" fails on your branch without it`),
    ...gatesPassedElsewhere(facts)
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

/**
 * Returns the commands with which you move changed submodules in your checkout, because landing never changes their
 * files.
 */
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

function numbered(recovery: Recovery | null, last: number): Recovery | null {
  if (recovery === null || recovery.id !== '') return recovery;
  return { ...recovery, id: `RS-${String(last + 1).padStart(3, '0')}` };
}

/** The rollback is recorded before any file changes, so that it is finished even if the run is killed in between. */
function rollbackOf({ checkpoints }: IterationFacts, decisions: IterationDecisions) {
  const checkpoint = checkpointOf(decisions);
  if (checkpoint === null) return null;
  const target = checkpoints.find(({ id }) => id === checkpoint);
  if (target === undefined) throw new Error(`${checkpoint} isn't a checkpoint of the facts`);
  return { checkpoint: target.id, tree: target.tree };
}

/**
 * Returns the gates' results for a done task's tree. Results for the tree of an unfinished attempt don't replace the
 * known ones.
 */
function baselineAfter({ facts, decisions, specs }: Finished) {
  if (specs.length === 0 || decisions.taskStatus !== 'done') return null;
  return nextBaseline({
    previous: facts.baseline,
    specs,
    newRuns: gatesIn(facts),
    tree: facts.testedTree,
    at: facts.endedAt,
    sources: nextSources(facts.baseline, specs, facts.gateSources.at(-1) ?? {}, true),
  });
}

export type OpenedIncident = { readonly incident: IncidentSummary; readonly report: IncidentReport };

/** Returns the iteration's incident; `null`: there is none. */
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
