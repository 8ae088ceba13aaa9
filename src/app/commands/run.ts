import { homedir } from 'node:os';
import { pausingIncident } from '../../domain/incident.ts';
import type { LoopEvent } from '../../domain/loop-event.ts';
import { systemClock } from '../../io/clock.ts';
import { systemIds } from '../../io/ids.ts';
import { prepareForLongRun } from '../../io/long-run.ts';
import { listenForStop } from '../../io/stop-signal.ts';
import { snakeKeys } from '../../lib/snake-keys.ts';
import { loadTasks, runLoop } from '../../loop/index.ts';
import { selectTask } from '../../tasks/index.ts';
import { type DataOf, failure, success } from '../result.ts';
import type { PlannedBox } from '../setup/box.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { chooseAgents } from '../setup/choose-agent.ts';
import { readCustomTexts } from '../setup/custom-texts.ts';
import { ensureIgnoreRules } from '../setup/ignore-rules.ts';
import { openPorts } from '../setup/ports.ts';
import { inProject, type Project, type ProjectInput } from '../setup/project.ts';
import { reviewSetup } from '../setup/review-setup.ts';
import { withRunLock } from '../setup/run-lock.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { tidyUp } from '../setup/tidy-up.ts';
import { acceptTasks } from '../setup/trust/task-trust.ts';

/** What every command that runs the loop needs. */
export type LoopInput = ProjectInput & {
  readonly trust: TrustMode;
  readonly confirmMarks: Parameters<typeof runLoop>[0]['confirmMarks'];
  readonly emit: (event: LoopEvent) => void;
  /** Called at the first and second signal, and when what the second one asked for didn't end in time. */
  readonly onStop: (which: 'polite' | 'forced' | 'unfinished') => void;
  /** Told the values that must not be shown. */
  readonly hide: (secrets: readonly string[]) => void;
};

export type RunInput = LoopInput & {
  readonly task: string | null;
  readonly maxIterations: number | null;
  /** Unblock these and work at them alone (`ralph retry-blocked`). */
  readonly retry?: NonNullable<Parameters<typeof runLoop>[0]['retry']>;
};

export type DryRunResult = DataOf<typeof dryRun>;

/** `ralph run` and `ralph step`: opens everything, takes the lock, runs the loop. */
export function run(input: RunInput) {
  prepareForLongRun();
  return inProject({ ...input, willRun: true }, async (project) => {
    const { root, stateHome, config } = project;
    const subject = { root, stateHome, config, entries: project.configEntries() };
    const untrusted = await requireTrust(subject, input.trust);
    if (untrusted !== null) return untrusted;
    if (input.trust.kind === 'accept') {
      acceptTasks(stateHome, (await project.taskTrust()).pending, systemClock().now());
    }
    const agents = chooseAgents(root, config);
    if (!agents.ok) return agents;
    for (const message of agents.warnings) input.emit({ kind: 'warning', message });
    const texts = await readCustomTexts(root, config.interventions.custom_prompts_path);
    if (!texts.ok) return failure(texts.message);
    const stop = listenForStop({
      onFirst: () => input.onStop('polite'),
      onSecond: () => input.onStop('forced'),
      onHardEnd: () => input.onStop('unfinished'),
    });
    try {
      return await runLocked(project, input, { agents, texts: texts.texts, stop });
    } finally {
      stop.dispose();
    }
  });
}

type Prepared = {
  readonly agents: Extract<ReturnType<typeof chooseAgents>, { ok: true }>;
  readonly texts: Readonly<Record<string, string>>;
  readonly stop: ReturnType<typeof listenForStop>;
};

function runLocked(project: Project, input: RunInput, { agents, texts, stop }: Prepared) {
  const { root, workplace, config, mode, gates } = project;
  const runId = newRunId();
  const secrets = secretsOf(config);
  input.hide(secrets);
  const planned = project.box();
  if (!planned.ok) return planned;
  return withRunLock(project, runId, async () => {
    ensureIgnoreRules(project);
    const { ports, close } = openPorts(project, input.emit, stop, planned.box);
    try {
      await tidyUp(project, (message) => input.emit({ kind: 'warning', message }));
      const result = await runLoop({
        ...{ ports, root, workplace, config, mode, gates, texts },
        run: runId,
        secrets,
        home: homedir(),
        box: { line: planned.line, outside: outsideOf(planned, gates) },
        adapters: agents.adapters,
        review: reviewSetup(project),
        only: input.task,
        confirmMarks: input.confirmMarks,
        maxIterations: input.maxIterations ?? config.loop.max_iterations,
        ...(input.retry === undefined ? {} : { retry: input.retry }),
      });
      ports.protection.end();
      if (result.kind === 'refused') return failure(result.message, null, result.exitCode);
      return success(snakeKeys(result.result), result.result.exitCode);
    } finally {
      await close();
    }
  });
}

/** Gates that run outside of the box although there is one. */
function outsideOf({ box }: PlannedBox, gates: Project['gates']): string[] {
  return box === null ? [] : gates.filter((gate) => !gate.box).map(({ name }) => name);
}

/** `r-YYYYMMDD-HHMMSS-xxxx` */
function newRunId(): string {
  const stamp = systemClock().now().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `r-${stamp}-${systemIds().random(4)}`;
}

/** `ralph run --dry-run`: what would be started; nothing is run. */
export function dryRun(input: ProjectInput & Pick<RunInput, 'task'>) {
  return inProject({ ...input, willRun: true }, async (project) => {
    const loaded = await loadTasks({ ports: project });
    if (!loaded.ok) return failure(loaded.message);
    const { tasks, tracker } = loaded;
    const { state } = project.store;
    const pick = selectTask(tasks, state.tasks, input.task);
    return success({
      dry_run: true,
      tracker: tracker.name,
      next: pick.kind === 'task' ? { id: pick.task.id, title: pick.task.title, why: pick.why } : null,
      outcome: pick.kind,
      incident: pausingIncident(state)?.id ?? null,
      tasks: { total: tasks.length, done: tasks.filter(({ status }) => status === 'done').length },
    });
  });
}
