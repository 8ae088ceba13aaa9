import type { Clock, Proc } from '../../domain/ports.ts';
import { byteRedactor } from '../../lib/redact.ts';
import type { Box } from '../box/index.ts';
import { realPathOf } from '../files/real-path.ts';
import type { Supervision } from '../programs/launch/launch.ts';
import type { Launch, LaunchRequest } from '../programs/launch/running.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { ownerMark } from '../programs/table/tracked-tree.ts';
import { codeElsewhere } from './code-elsewhere.ts';
import { type ProcOptions, runAgent } from './run-agent.ts';
import { runGate } from './run-gate.ts';

export type OpenProcOptions = {
  readonly clock: Clock;
  /** What agents and gates find in their environment, in general that of ralph itself. */
  readonly env: Environment;
  /** Values that are hidden in logs, besides what looks like a secret. Default: none. */
  readonly secrets?: readonly string[];
  /** Variables that agents and gates get besides, whatever else is kept from them. Default: none. */
  readonly ofWorker?: Readonly<Record<string, string>>;
  /** The repository: `findOrphans` of the same one finds what a killed ralph left. Default: the current folder. */
  readonly root?: string;
  /** `group-scan` does without the sub-reaper although the machine has one. Default: `auto`. */
  readonly supervision?: Supervision;
  /** What agents and gates run in. Default: none. */
  readonly box?: Box | null;
  /** Starts agents in another way, under the same supervision. Default: as processes. */
  readonly launchAgent?: LaunchAgent;
};

export type LaunchAgent = (request: LaunchRequest) => Promise<Launch>;

/** Runs agents and gates as real processes and ends all of what they start. */
export function openProc({
  clock,
  env,
  root = process.cwd(),
  supervision = 'auto',
  box = null,
  secrets = [],
  ofWorker = {},
  launchAgent,
}: OpenProcOptions): Proc {
  const hide = byteRedactor(secrets);
  const options = { clock, env, root, hide, ofWorker, supervision, box, owner: ownerMark(root) };
  const ofAgents: ProcOptions = launchAgent === undefined ? options : { ...options, launchAgent };
  return {
    isBoxed: box !== null,
    closed: () => box?.closed({ env }) ?? { paths: [], variables: [] },
    linksNotShown: () => box?.linksNotShown() ?? [],
    codeElsewhere: (commands, paths) => codeElsewhere({ root: realPathOf(root), env, commands, ...paths }),
    runAgent: (request) => runAgent(ofAgents, request),
    runGate: (spec, cwd, logFile, stop) => runGate(options, spec, cwd, logFile, stop),
  };
}
