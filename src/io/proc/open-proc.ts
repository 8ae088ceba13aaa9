import type { Box } from 'ralph-box';
import type { Supervision } from 'ralph-box/launch/launch';
import type { Launch, LaunchRequest } from 'ralph-box/launch/running';
import { realPathOf } from 'ralph-kit/files/real-path';
import { openSwitches } from 'ralph-kit/programs/start/has-switch';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { ownerMark } from 'ralph-kit/programs/table/tracked-tree';
import { byteRedactor } from 'ralph-kit/redact';
import type { Clock, Proc } from '../../domain/ports.ts';
import { codeElsewhere } from './code-elsewhere.ts';
import { type ProcOptions, runAgent } from './run-agent.ts';
import { runGate } from './run-gate.ts';

export type OpenProcOptions = {
  readonly clock: Clock;
  /** Environment of agents and gates, usually ralph's own. */
  readonly env: Environment;
  /** Values to hide in logs besides detected secrets. Default: none. */
  readonly secrets?: readonly string[];
  /** Additional variables for agents and gates, never withheld. Default: none. */
  readonly ofWorker?: Readonly<Record<string, string>>;
  /** Repository by which `findOrphans` finds what a killed ralph left. Default: current folder. */
  readonly root?: string;
  /** `group-scan` avoids the sub-reaper even if available. Default: `auto`. */
  readonly supervision?: Supervision;
  /** Box for agents and gates. Default: none. */
  readonly box?: Box | null;
  /** Replaces how agents are started, under the same supervision. Default: processes. */
  readonly launchAgent?: LaunchAgent;
};

export type LaunchAgent = (request: LaunchRequest) => Promise<Launch>;

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
    hasSwitch: openSwitches(root, env),
    runAgent: (request) => runAgent(ofAgents, request),
    runGate: (spec, cwd, logFile, stop) => runGate(options, spec, cwd, logFile, stop),
  };
}
