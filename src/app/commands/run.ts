import { isBoxedOff } from 'ralph-box';
import { shellQuote } from 'ralph-kit/shell-quote';
import { snakeKeys } from 'ralph-kit/snake-keys';
import { idsOfNames } from 'ralph-task-lists';
import { agentAvailability, chooseNext, endingOfPick, selectTask, waitsIn } from '../../decide/index.ts';
import { EXIT, type StopSignalName } from '../../domain/exit.ts';
import type { RemoteWorkers } from '../../domain/fleet.ts';
import type { GateRequest } from '../../domain/human/gate.ts';
import { waitingIncidents } from '../../domain/incident.ts';
import type { StopSignal } from '../../domain/ports.ts';
import { takenBackLines } from '../../domain/records/marks.ts';
import { givenUpText } from '../../domain/task.ts';
import { resultsThatWait } from '../../domain/work-place.ts';
import { commitAll } from '../../git/index.ts';
import { prepareForLongRun } from '../../io/long-run.ts';
import type { ModuleHost, Modules } from '../../io/modules/index.ts';
import type { LaunchAgent } from '../../io/proc/index.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import {
  loadTasks,
  NO_COMMIT,
  NO_WORKERS,
  policyFactsAtStart,
  refusalBefore,
  runLoop,
} from '../../loop/index.ts';
import { FIRST_COMMIT, nextCommands } from '../../tell/index.ts';
import { budgetRefusal } from '../doctor/check-budget.ts';
import { listProblems, noTasks } from '../doctor/checks/task-list.ts';
import { preflight } from '../doctor/preflight.ts';
import { decideGate, findOption } from '../human/decide-gate.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { notApproved, requireRunnable, type TrustAnswer, type TrustMode } from '../setup/check-trust.ts';
import { chooseAgents } from '../setup/choose-agent.ts';
import { readCustomTexts } from '../setup/custom-texts.ts';
import { readDoTask } from '../setup/do-task.ts';
import { inLoop } from '../setup/in-loop.ts';
import { moduleHostOf, modulesOf } from '../setup/modules.ts';
import { notifyOf } from '../setup/notify-of.ts';
import { inProject, type Project } from '../setup/project.ts';
import { proverSetup } from '../setup/prover-setup.ts';
import { ralphFolder } from '../setup/ralph-folder.ts';
import { rulesOf } from '../setup/review-setup.ts';
import { tidyDo } from '../setup/tidy-do.ts';
import { acceptTasks } from '../setup/trust/task-trust.ts';
import { type Uncommitted, uncommittedIn } from '../setup/uncommitted.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import { agentsOfRoles, workflowSetup } from '../setup/workflow/workflow-setup.ts';
import type { ProjectInput, Workspace } from '../setup/workspace.ts';
import { answeringChats } from './human/answer-chat.ts';
import { type Answer, type Asking, askingOf } from './human/approvals.ts';
import { nowOf } from './report.ts';

type AskGate = (asking: Asking, stop: AbortSignal) => Promise<Answer | null>;

/** Input of all commands that run the loop. */
export type LoopInput = ProjectInput & {
  readonly trust: TrustMode;
  readonly confirmMarks: Parameters<typeof runLoop>[0]['confirmMarks'];
  /** Asks whether to commit all files as the first commit; `null`: there is no terminal. */
  readonly confirmFirstCommit: (() => Promise<TrustAnswer>) | null;
  /** Asks what to do with uncommitted files, which agents don't see; `null`: there is no terminal. */
  readonly confirmUncommitted: ((what: Uncommitted) => Promise<UncommittedAnswer>) | null;
  /**
   * Asks you at a human gate until `stop` fires. The answer `null` means "not now"; the function is `null` without a
   * terminal.
   */
  readonly askGate: AskGate | null;
  /** Called at the first signal, at the second one, and if processes are still alive some time after the second one. */
  readonly onStop: (which: 'polite' | 'forced' | 'unfinished') => void;
  /** Receives the secrets that must not be shown. */
  readonly hide: (secrets: readonly string[]) => void;
};

/** What you say about files that aren't committed. `go_on`: they stay so, and agents don't see them. */
export type UncommittedAnswer = 'go_on' | 'commit' | 'stop';

/** Lets the workers of a fleet make the attempts, and lands their results. */
export type Coordinator = {
  readonly ok: true;
  readonly remoteWorkers: RemoteWorkers;
  /** Fires when another process has become the coordinator. */
  readonly lost: AbortSignal;
  readonly close: () => Promise<void>;
};

type RunLimits = {
  /** Names of the only tasks to work on; `null`: all tasks. */
  readonly tasks: readonly string[] | null;
  /** Model that the run's agent has to use; `null`: the agent's own choice. */
  readonly model: string | null;
  /** No attempt starts after this time, ISO 8601 UTC; `null`: no such limit. */
  readonly until: string | null;
  readonly maxIterations: number | null;
};

export type RunInput = LoopInput &
  RunLimits & {
    /** Whether you are notified at the end of the run. */
    readonly notifyEnd: boolean;
    /** Starts agents in another way than as processes, for `ralph eval`. */
    readonly launchAgent?: LaunchAgent;
    /** Opens the fleet that makes the attempts instead of this machine (`ralph fleet run`). */
    readonly fleet?: (project: Project) => Promise<Failure | Coordinator>;
    /** Tasks to unblock. The run works only on these (`ralph retry-blocked`). */
    readonly retry?: NonNullable<Parameters<typeof runLoop>[0]['retry']>;
  };

/** A run about the whole list with the settings of the folder, without any question to you. */
export const UNATTENDED = {
  tasks: null,
  model: null,
  until: null,
  notifyEnd: false,
  maxIterations: null,
  trust: { kind: 'own' },
  confirmMarks: null,
  confirmFirstCommit: null,
  confirmUncommitted: null,
  askGate: null,
} satisfies Partial<RunInput>;

export type DryRunResult = DataOf<typeof dryRun>;

/** `ralph run` and `ralph step`: opens everything, takes the lock, runs the loop. */
export async function run(input: RunInput) {
  prepareForLongRun();
  return inProject({ ...(await ownedInput(input)), willRun: true }, async (project) => {
    if (input.trust.kind === 'accept') {
      const { pending } = await project.taskTrust();
      acceptTasks(project.stateHome, pending, project.clock.now());
    }
    const { confirmFirstCommit } = input;
    if (confirmFirstCommit !== null && (await project.git.refs()).head === null) {
      const answer = await confirmFirstCommit();
      if (answer === 'stopped') return notApproved(answer);
      if (answer === 'yes') await commitAll(project.root, 'Start');
    }
    const modules = modulesOf(project);
    const host = moduleHostOf(project, modules);
    try {
      return await runWith(project, input, { modules, host });
    } finally {
      await host.close();
    }
  });
}

/**
 * Returns the input of a run; if nothing was named and the task of `ralph do` has landed, the run is about the task
 * list.
 */
async function ownedInput(input: ProjectInput): Promise<ProjectInput> {
  const found = await workTreeAt(input.cwd);
  const records = found.ok ? ralphFolder(found, input.owner) : null;
  const isOver = records?.owner === 'do' && readDoTask(records)?.landed === true;
  return isOver && input.owner === undefined ? { ...input, owner: 'list' } : input;
}

/** Modules as they were read when the run began, and the host that runs them. */
type RunModules = { readonly modules: Modules; readonly host: ModuleHost };

async function runWith(project: Project, input: RunInput, modules: RunModules) {
  const { confirmUncommitted } = input;
  let prepared = await prepare(project, input, modules);
  if (!prepared.ok) return prepared;
  if (input.retry === undefined)
    for (const message of takenBackLines(prepared.tracker.takenBack))
      project.store.commit([{ type: 'warned', message }]);
  if (confirmUncommitted !== null && prepared.uncommitted.paths.length > 0) {
    const answer = await confirmUncommitted(prepared.uncommitted);
    if (answer === 'stop') return notApproved('stopped');
    if (answer === 'commit') {
      await commitAll(project.root, 'Work in progress', prepared.uncommitted.paths);
      prepared = await prepare(project, input, modules);
      if (!prepared.ok) return prepared;
    }
  }
  if (input.notifyEnd && (await collectAnswers(project, input, prepared))) {
    prepared = await prepare(project, input, modules);
    if (!prepared.ok) return prepared;
  }
  for (const message of prepared.agents.warnings) project.store.commit([{ type: 'warned', message }]);
  // The start of the run already reports which agent is used.
  const findings = prepared.findings.filter(({ id, status }) => id !== 'agents.chosen' || status !== 'ok');
  project.store.commit([{ type: 'setup_checked', findings }]);
  const stop = listenForStop({
    onFirst: () => input.onStop('polite'),
    onSecond: () => input.onStop('forced'),
    onHardEnd: () => input.onStop('unfinished'),
  });
  let fleet: Coordinator | null = null;
  try {
    const opened = (await input.fleet?.(project)) ?? null;
    if (opened?.ok === false) return opened;
    fleet = opened;
    return await runLocked(project, input, prepared, { stop, host: modules.host, fleet });
  } finally {
    stop.dispose();
    await fleet?.close();
  }
}

/** Carries out answers that arrived in a chat while no run was active. Returns false if there were none. */
async function collectAnswers(project: Project, input: RunInput, { box }: Prepared): Promise<boolean> {
  if (waitsIn(project.store.state).length === 0) return false;
  const before = project.store.state.seq;
  const answering = answeringChats({ cwd: project.root, flags: input.flags ?? {} }, false);
  await notifyOf(project, box.box).collect(answering);
  return project.store.refresh().seq !== before;
}

/**
 * Prepares a run before it takes its lock, and returns findings worth knowing; the same for a run that is only shown.
 */
async function prepare(
  project: Project,
  input: RunLimits & Pick<RunInput, 'trust'> & Partial<Pick<LoopInput, 'confirmUncommitted'>>,
  { modules, host }: RunModules,
) {
  const { root, stateHome, config } = project;
  const subject = { ...project, entries: project.configEntries(), modules };
  const unready = await requireRunnable(subject, input.trust);
  if (unready !== null) return unready;
  const listed = await seenTasks(project);
  if (!listed.ok) return failure(listed.message, listed.next ?? 'ralph doctor');
  const { tracker, tasks } = listed;
  if (tasks.length === 0) {
    const { title, detail, fix } = noTasks(tracker.name, listProblems(tracker, tasks));
    return failure(`${title}: ${detail}.`, fix);
  }
  if (input.tasks !== null) {
    const pick = selectTask(tasks, project.store.state.tasks, input.tasks);
    if (pick.kind === 'unknown_task')
      return failure(givenUpText(pick.id, tracker.givenUp) ?? endingOfPick(pick).reason, 'ralph tasks');
  }
  const agents = chooseAgents(root, config, input.model);
  if (!agents.ok) return agents;
  const roles = workflowSetup(root, config, agents.adapters);
  if (!roles.ok) return roles;
  const proof = proverSetup(root, config, agents.adapters);
  if (!proof.ok) return proof;
  const provers = proof.prover === null ? [] : [proof.prover.adapter];
  const paid = [...agents.adapters, ...agentsOfRoles(roles.workflow), ...provers];
  const unkept = budgetRefusal({ config, entries: project.configEntries() }, paid);
  if (unkept !== null) return unkept;
  const texts = await readCustomTexts(root, config.interventions.custom_prompts_path);
  if (!texts.ok) return failure(texts.message, `Correct it in ${config.interventions.custom_prompts_path}.`);
  const box = project.box();
  if (!box.ok) return box;
  const review = await rulesOf(project, host);
  if (!review.ok) return review;
  const maxIterations = input.maxIterations ?? config.loop.max_iterations ?? null;
  const only = input.tasks === null ? null : idsOfNames(tasks, input.tasks);
  const asked = new Set(only);
  const startable = tasks.filter(({ id, status }) => OPEN.has(status) && (only === null || asked.has(id)));
  if (!isBoxedOff(stateHome) && (await project.git.refs()).head === null)
    return failure(NO_COMMIT, FIRST_COMMIT);
  const uncommitted = isBoxedOff(stateHome)
    ? { paths: [], namedByTasks: [] }
    : await uncommittedIn(project, startable);
  const [named] = uncommitted.namedByTasks;
  if (named !== undefined && (input.confirmUncommitted ?? null) === null) {
    const message = `${named.taskId} names ${named.path}, which isn't committed: agents work from your last commit and don't see it.`;
    return failure(message, `git add ${shellQuote(named.path)} && git commit`);
  }
  const planned = { project, tasks, tracker, open: startable.length, maxIterations, uncommitted };
  const { findings, refusal } = await preflight(planned);
  if (refusal !== null) return refusal;
  return {
    ...listed,
    only,
    agents,
    workflow: roles.workflow,
    prover: proof.prover,
    texts: texts.texts,
    rules: review.rules,
    box,
    maxIterations,
    findings,
    uncommitted,
  };
}

const OPEN: ReadonlySet<string> = new Set(['open', 'in_progress']);

/** Returns the tasks as a run would see them. Nothing is recorded. */
async function seenTasks(project: Project) {
  const loaded = await loadTasks({ ports: project });
  if (!loaded.ok) return loaded;
  const ticked = loaded.tasks.filter(({ status }) => status === 'unverified');
  const explained = ticked.length === 0 ? [] : await project.tracker.explain(ticked, false);
  const accepted = new Set(explained.map(({ taskId }) => taskId));
  const tasks = loaded.tasks.map((task) =>
    accepted.has(task.id) ? { ...task, status: 'done' as const } : task,
  );
  return { ok: true as const, tasks, tracker: loaded.tracker };
}

type Prepared = Extract<Awaited<ReturnType<typeof prepare>>, { ok: true }>;

type Opened = {
  readonly stop: StopSignal<StopSignalName>;
  readonly host: ModuleHost;
  readonly fleet: Coordinator | null;
};

function runLocked(
  project: Project,
  input: RunInput,
  prepared: Prepared,
  { stop: signal, host, fleet }: Opened,
) {
  const { retry, launchAgent } = input;
  const stop = fleet === null ? signal : stopWith(signal, fleet.lost);
  const asks = {
    runUntil: input.until,
    notifyEnd: input.notifyEnd,
    confirmMarks: input.confirmMarks,
    askGate: askGateFor(
      project,
      input.askGate,
      (message) => void project.store.commit([{ type: 'warned', message }]),
    ),
    // A single step, and a run that ralph starts for itself, read no chat.
    answerChat: input.notifyEnd
      ? answeringChats({ cwd: project.root, flags: input.flags ?? {} }, true)
      : null,
    ...(retry === undefined ? {} : { retry }),
    ...(fleet === null ? {} : { remoteWorkers: fleet.remoteWorkers }),
  };
  const given = { ...prepared, ...asks, stop, host, hide: input.hide };
  return inLoop(project, launchAgent === undefined ? given : { ...given, launchAgent }, async (context) => {
    const result = await runLoop(context);
    if (result.kind === 'refused') return failure(result.message, result.next, result.exitCode);
    if (project.owner === 'do') await tidyDo(project);
    return success({ ...snakeKeys(result.report), preflight: prepared.findings }, result.report.exitCode);
  });
}

/** Combines two reasons to stop: your signals, and another process that became the fleet's coordinator. */
function stopWith(signal: StopSignal<StopSignalName>, lost: AbortSignal): StopSignal<StopSignalName> {
  return {
    polite: AbortSignal.any([signal.polite, lost]),
    forced: signal.forced,
    reason: () => signal.reason() ?? (lost.aborted ? 'SIGTERM' : null),
  };
}

/**
 * `ralph run --dry-run`: shows what a run would begin with, and the exit code of one that would end at once; nothing is
 * run.
 */
export async function dryRun(input: ProjectInput & RunLimits & Pick<RunInput, 'trust'>) {
  return inProject({ ...(await ownedInput(input)), willRun: true }, async (project) => {
    // A dry run neither asks for approval nor remembers one.
    const trust: TrustMode = input.trust.kind === 'check' ? { kind: 'check', ask: null } : { kind: 'own' };
    const modules = modulesOf(project);
    const host = moduleHostOf(project, modules);
    const prepared = await prepare(project, { ...input, trust }, { modules, host }).finally(host.close);
    if (!prepared.ok) return prepared;
    const { tasks, only, tracker, agents, box, findings, maxIterations } = prepared;
    const { state } = project.store;
    const refusal = refusalBefore(state);
    if (refusal !== null) return failure(refusal.message, refusal.next, refusal.exitCode);
    const pick = selectTask(tasks, state.tasks, only, new Set(), state.first);
    const waiting = resultsThatWait(state, tasks);
    const results = waiting.map(({ id }) => id).filter((id) => only === null || only.includes(id));
    const names = agents.adapters.map(({ name }) => name);
    const next = chooseNext(
      {
        only: only === null ? null : [...only],
        among: null,
        incident: null,
        signal: null,
        iterations: 0,
        idleIterations: 0,
        outage: null,
        finished: [],
        control: { stop: null, pausedAt: null, stoppedWorkers: [] },
        workers: NO_WORKERS,
        first: state.first,
        freeWorkers: 1,
        maxIterations: maxIterations ?? Number.MAX_SAFE_INTEGER,
        results,
        noProgressLimit: project.config.loop.no_progress_limit,
        policy: policyFactsAtStart({
          config: project.config,
          state,
          tasks,
          now: project.clock.now(),
          only: only === null ? null : [...only],
        }),
        waiting: waitingIncidents(state).map(({ id }) => id),
        availability: {
          agents: [...agentAvailability(state, names)],
          now: project.clock.now(),
          maxWaitSeconds: project.config.loop.max_wait,
          runUntil: input.until,
        },
      },
      { tasks, states: state.tasks },
    );
    const ending = next.kind === 'end' ? next.ending : null;
    if (ending?.kind === 'error') return failure(ending.reason, 'ralph tasks');
    const { open, continues } = nowOf({ project, tracker, tasks });
    const asked = open.filter(({ id }) => only === null || only.includes(id));
    const after = { state, continues, open: asked, waiting, running: false, done: [] };
    return success(
      {
        dry_run: true,
        tracker: tracker.name,
        next: pick.kind === 'task' ? { id: pick.task.id, title: pick.task.title, why: pick.why } : null,
        outcome: pick.kind,
        reason: ending?.reason ?? (next.kind === 'wait' ? next.reason : null),
        help: ending === null ? null : (nextCommands({ ...after, ending })[0] ?? null),
        box: box.line,
        preflight: findings,
        tasks: { total: tasks.length, done: tasks.filter(({ status }) => status === 'done').length },
      },
      ending?.exitCode ?? EXIT.ok,
    );
  });
}

/**
 * Asks you about a request of a run and carries out your answer. If the answer isn't valid, the reason is shown and you
 * are asked again.
 */
function askGateFor(workspace: Workspace, ask: AskGate | null, warn: (message: string) => void) {
  if (ask === null) return null;
  return async (request: GateRequest, stop: AbortSignal): Promise<'decided' | 'left'> => {
    while (!stop.aborted) {
      const answer = await ask(askingOf(workspace, request), stop);
      if (answer === null) return 'left';
      const option = findOption(request, answer.option);
      if (!option.ok) {
        warn(option.message);
        continue;
      }
      const done = await decideGate(workspace, request, option.entry, { ...answer, key: null });
      if (done.ok) return option.entry.effect === 'decides' ? 'decided' : 'left';
      warn(done.message);
    }
    return 'left';
  };
}
