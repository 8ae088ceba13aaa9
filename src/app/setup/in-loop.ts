import { availableParallelism, homedir } from 'node:os';
import type { Config } from '../../domain/config.ts';
import type { RemoteWorkers } from '../../domain/fleet.ts';
import type { Clock, Ports } from '../../domain/ports.ts';
import { systemIds } from '../../io/ids.ts';
import type { ModuleHost } from '../../io/modules/index.ts';
import type { LaunchAgent } from '../../io/proc/index.ts';
import type { LoopContext } from '../../loop/context.ts';
import { openLab, openLedgers, openTurns } from '../../loop/index.ts';
import type { PlannedBox } from './box.ts';
import type { chooseAgents } from './choose-agent.ts';
import { openPorts } from './ports.ts';
import type { Project } from './project.ts';
import { hookFolderOf, type RunRules, reviewSetup } from './review-setup.ts';
import { withRunLock } from './run-lock.ts';
import { secretsOf } from './secrets-of.ts';
import { tidyUp } from './tidy-up.ts';

type LoopPorts = Pick<
  LoopContext,
  | 'only'
  | 'workflow'
  | 'prover'
  | 'texts'
  | 'maxIterations'
  | 'runUntil'
  | 'notifyEnd'
  | 'confirmMarks'
  | 'askGate'
  | 'answerChat'
> &
  Pick<LoopContext, 'retry'> & {
    readonly agents: Extract<ReturnType<typeof chooseAgents>, { ok: true }>;
    readonly rules: RunRules | null;
    readonly box: PlannedBox;
    readonly stop: Ports['stop'];
    readonly host: ModuleHost;
    /** Receives values that must not be shown. */
    readonly hide: (secrets: readonly string[]) => void;
    readonly launchAgent?: LaunchAgent;
    readonly remoteWorkers?: RemoteWorkers;
    /** Name for the lock if a command holds it instead of a run. */
    readonly holder?: string;
  };

/** Takes the run lock and opens everything that agents need. All of it is closed when `work` ends. */
export function inLoop<R>(project: Project, given: LoopPorts, work: (context: LoopContext) => Promise<R>) {
  const { root, workplace, config, mode, gates } = project;
  const { agents, rules, box: planned, stop, host, hide, launchAgent, holder, ...rest } = given;
  const runId = newRunId(project.clock);
  const secrets = secretsOf(config);
  hide(secrets);
  return withRunLock(project, holder ?? runId, async () => {
    const { ports, workers } = openPorts(project, stop, planned.box, {
      host,
      ...(launchAgent === undefined ? {} : { launchAgent }),
    });
    const spans = project.store.openLog(`runs/${runId}/spans.jsonl`);
    try {
      const warn = (message: string) => void project.store.commit([{ type: 'warned', message }]);
      await tidyUp(project, warn);
      rules?.warnings.forEach(warn);
      const review = rules === null ? null : reviewSetup(project, rules, ports.proc.isBoxed);
      return await work({
        ports,
        workers,
        root,
        workplace,
        config,
        mode,
        gates,
        secrets,
        review,
        turns: openTurns(gatePlaces(config.parallel)),
        ledgers: openLedgers(),
        spans,
        lab: openLab(),
        run: runId,
        home: homedir(),
        box: { line: planned.line, outside: outsideOf(planned, gates) },
        adapters: agents.adapters,
        model: agents.model,
        // Reports lie beside hooks, because the same code removes leftovers of both.
        reportFolder: hookFolderOf(project),
        only: rest.only,
        workflow: rest.workflow,
        texts: rest.texts,
        prover: proverIn(rest.prover, ports.proc.isBoxed, warn),
        maxIterations: rest.maxIterations,
        runUntil: rest.runUntil,
        notifyEnd: rest.notifyEnd,
        confirmMarks: rest.confirmMarks,
        askGate: rest.askGate,
        answerChat: rest.answerChat,
        remoteWorkers: rest.remoteWorkers ?? null,
        ...(rest.retry === undefined ? {} : { retry: rest.retry }),
      });
    } finally {
      spans.close();
    }
  });
}

/** Without a box, the agent could read the prover's checks, so they would prove nothing. */
function proverIn(
  prover: LoopContext['prover'],
  isBoxed: boolean,
  warn: (message: string) => void,
): LoopContext['prover'] {
  if (prover === null || isBoxed) return prover;
  warn("[proof] prover isn't asked: without a box, its checks couldn't be kept from the agent.");
  return null;
}

/** Returns how many workers may run gates at once. */
function gatePlaces({ workers, gate_slots }: Config['parallel']): number {
  return gate_slots === 'auto' ? Math.min(workers, Math.max(1, availableParallelism() - 1)) : gate_slots;
}

function outsideOf({ box }: PlannedBox, gates: Project['gates']): string[] {
  return box === null ? [] : gates.filter((gate) => !gate.box).map(({ name }) => name);
}

/** Returns an id of the form `r-YYYYMMDD-HHMMSS-xxxx`. */
function newRunId(clock: Clock): string {
  const stamp = clock.now().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `r-${stamp}-${systemIds().random(4)}`;
}
