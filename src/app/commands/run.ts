import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { openIncidents } from '../../domain/incident.ts';
import type { LoopEvent, RunResult } from '../../domain/loop-event.ts';
import { systemClock } from '../../io/clock.ts';
import { FileTooLarge, GitError } from '../../io/git/index.ts';
import { openHandlers } from '../../io/handlers/index.ts';
import { pruneHooks } from '../../io/hook/index.ts';
import { systemIds } from '../../io/ids.ts';
import { prepareForLongRun } from '../../io/long-run.ts';
import { openNotify } from '../../io/notify/index.ts';
import { openProc } from '../../io/proc/index.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { acquireRunLock } from '../../io/store/index.ts';
import { openTelemetry } from '../../io/telemetry/index.ts';
import { secretsFromEnv } from '../../lib/redact.ts';
import { loadTasks, runLoop } from '../../loop/index.ts';
import { selectTask } from '../../tasks/index.ts';
import { type CommandResult, failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { chooseAgents } from '../setup/choose-agent.ts';
import { readCustomTexts } from '../setup/custom-texts.ts';
import { endOrphans } from '../setup/end-orphans.ts';
import { openProject, type Project, type ProjectInput, storeFailure } from '../setup/project.ts';
import { pruneOldRuns } from '../setup/prune-old-runs.ts';
import { hookFolderOf, reviewSetup } from '../setup/review-setup.ts';
import { snakeKeys } from '../snake-keys.ts';
import { VERSION } from '../version.ts';
import { cleanIncidents } from './incidents.ts';

export type RunInput = ProjectInput & {
  readonly task: string | null;
  readonly maxIterations: number | null;
  readonly dryRun: boolean;
  readonly trust: TrustMode;
  /** Unblock these and work at them alone (`ralph retry-blocked`). */
  readonly retry?: NonNullable<Parameters<typeof runLoop>[0]['retry']>;
  readonly emit: (event: LoopEvent) => void;
  /** Called at the first and second signal, for people. */
  readonly onStop: (which: 'polite' | 'forced') => void;
};

/** `ralph run` and `ralph step`: opens everything, takes the lock, runs the loop. */
export async function run(input: RunInput): Promise<CommandResult> {
  prepareForLongRun();
  const opened = await openProject(input);
  if (!opened.ok) return opened;
  const { project } = opened;
  for (const message of project.notices) input.emit({ kind: 'warning', message });
  if (input.dryRun) return dryRun(project, input.task);
  const { root, stateHome, config } = project;
  const untrusted = await requireTrust(
    { root, stateHome, config, entries: project.configEntries() },
    input.trust,
  );
  if (untrusted !== null) return untrusted;
  const agents = chooseAgents(project.root, project.config);
  if (!agents.ok) return agents;
  for (const message of agents.warnings) input.emit({ kind: 'warning', message });

  const { custom_prompts_path: textsPath } = config.interventions;
  const texts = textsPath === '' ? ({ ok: true, texts: {} } as const) : readCustomTexts(root, textsPath);
  if (!texts.ok) return failure(texts.message);

  const clock = systemClock();
  const ids = systemIds();
  const stop = listenForStop(
    () => input.onStop('polite'),
    () => input.onStop('forced'),
  );
  try {
    const stamp = clock.now().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    const runId = `r-${stamp}-${ids.random(4)}`;
    // Opening the store made the folder where there was none: the lock lives in it.
    project.store.commit(() => []);
    ensureIgnoreRules(project);
    const lock = acquireRunLock(join(project.root, '.ralph', 'run.lock'), { run: runId, host: hostname() });
    if (!lock.ok) {
      const holder =
        lock.holder === null ? 'another process' : `process ${lock.holder.pid} on ${lock.holder.host}`;
      return failure(
        `Another run is going on in this repository (${holder}).`,
        'See it with `ralph status`, or wait for its end.',
        EXIT.locked,
      );
    }
    const { handlers: modules, strategy } = config.interventions;
    const handlers = openHandlers({
      ...{ handlers: modules, strategyModule: strategy.module, root, clock, env: process.env },
    });
    const telemetry = openTelemetry({
      ...{ env: process.env, clock, ids, version: VERSION },
      onProblem: (message) => input.emit({ kind: 'warning', message }),
    });
    try {
      await endOrphans(project.root, clock, input.emit);
      cleanIncidents(project);
      pruneOldRuns(project);
      pruneHooks(hookFolderOf(project));
      const result = await runLoop({
        ports: {
          clock,
          ids,
          store: project.store,
          git: project.git,
          proc: openProc({ clock, env: process.env, root: project.root }),
          tracker: project.tracker,
          readFile: project.readFile,
          exists: project.exists,
          notify: openNotify({ settings: config.notify, clock, root, env: process.env }),
          handlers,
          telemetry,
          emit: input.emit,
          stop,
          process: { pid: process.pid, host: hostname(), version: VERSION },
        },
        root: project.root,
        worktree: project.worktree,
        run: runId,
        config: project.config,
        mode: project.mode,
        gates: project.gates,
        texts: texts.texts,
        secrets: secretsOf(project.config),
        home: homedir(),
        adapters: agents.adapters,
        review: reviewSetup(project),
        only: input.task,
        maxIterations: input.maxIterations ?? project.config.loop.max_iterations,
        ...(input.retry === undefined ? {} : { retry: input.retry }),
      });
      if (result.kind === 'refused') return failure(result.message, null, result.exitCode);
      return success(resultData(result.result), result.result.exitCode);
    } finally {
      handlers.close();
      await telemetry.flush();
      lock.release();
    }
  } catch (error) {
    if (error instanceof FileTooLarge) return failure(error.message);
    if (error instanceof GitError) return failure(error.message, 'ralph status', EXIT.unexpected);
    return storeFailure(error);
  } finally {
    stop.dispose();
  }
}

/** What is hidden in reports: secrets of the environment and of the runners, and where notifications go. */
function secretsOf({ runners, notify }: Project['config']): readonly string[] {
  const given = Object.values(runners).flatMap(({ env }) => secretsFromEnv(env ?? {}));
  return [...secretsFromEnv(process.env), ...given, ...(notify.webhook === '' ? [] : [notify.webhook])];
}

/** A hand-made `.ralph/` gets its ignore rules at the first run (files.md). */
function ensureIgnoreRules({ store }: Project): void {
  if (store.readDocument('.gitignore') === null) store.writeDocument('.gitignore', IGNORE_RULES);
}

/** What is local to a machine; the task list, configuration and prompts are the project's. */
export const IGNORE_RULES = `# Local state of ralph. The task list, ralph.toml and the prompts are the project's.
/journal.jsonl*
/journal/
/state.json*
/metrics.json*
/lessons.json*
/control-center.md
/interventions/
/runs/
/incidents/
/recoveries/
/gates/
/*.lock
/.*.tmp
/archive/
`;

async function dryRun(project: Project, only: string | null): Promise<CommandResult> {
  const loaded = await loadTasks({ ports: { tracker: project.tracker, store: project.store } });
  if (!loaded.ok) return failure(loaded.message);
  const pick = selectTask(loaded.tasks, project.store.state.tasks, only);
  const next = pick.kind === 'task' ? { id: pick.task.id, title: pick.task.title, why: pick.why } : null;
  return success({
    dry_run: true,
    tracker: loaded.tracker.name,
    next,
    outcome: pick.kind,
    incident: openIncidents(project.store.state).at(-1)?.id ?? null,
    tasks: {
      total: loaded.tasks.length,
      done: loaded.tasks.filter(({ status }) => status === 'done').length,
    },
  });
}

export function resultData(result: RunResult): Record<string, unknown> {
  return snakeKeys(result) as Record<string, unknown>;
}
