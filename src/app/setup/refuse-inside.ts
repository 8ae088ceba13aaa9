import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { currentBox, noteRefused } from 'ralph-box';
import { secretsFromEnv } from 'ralph-kit/redact';
import { redactDeep } from 'ralph-kit/redact-deep';
import { shellQuote } from 'ralph-kit/shell-quote';
import { shortened, stripControl } from 'ralph-kit/text';
import { startedInside } from '../../decide/index.ts';
import type { LiveRun } from '../../domain/ports.ts';
import { workTreeTops } from '../../git/index.ts';
import { ancestry, environmentOf } from '../../io/proc/index.ts';
import { type Failure, failure } from '../result.ts';
import { attemptAtWork, recordRefused } from './refused-command.ts';
import { liveRuns } from './run-lock.ts';
import { stateHomeOf } from './state-home.ts';
import { workTreeAt } from './work-tree.ts';
import { inWorkspace } from './workspace.ts';

export { ownCopy } from './own-copy.ts';

/** Maximum number of characters of a command line that are recorded. */
const LONGEST_COMMAND = 300;

type DecidingCommand = {
  /** Absolute path of a folder in the repository that the command would change. */
  readonly cwd: string;
  /** Name of the command as typed: `ralph tasks accept`. */
  readonly name: string;
  readonly argv: readonly string[];
};

/**
 * Returns a failure, and records it, if an attempt in this repository called a command that only you may use; `null`:
 * the command may run.
 */
export async function refuseInside(command: DecidingCommand): Promise<Failure | null> {
  const found = await workTreeAt(command.cwd);
  if (!found.ok) return null;
  const around = currentBox();
  if (around !== null && basename(around.stateHome) === basename(stateHomeOf(found.commonDir))) {
    noteRefused({ name: command.name, line: shown(command.argv) });
    return refusal(command, around.by);
  }
  const roots = workTreeTops(found);
  const inside = startedInside(ancestry(roots), liveRuns(roots, stateHomeOf(found.commonDir)));
  if (inside === null) return null;
  const by = await recordRefusal(command, inside.run, found.commonDir);
  return inside.isSure ? refusal(command, by) : doubt(command, by);
}

/** Returns whether a ralph of this repository started the caller. Records nothing. */
export async function isInside(cwd: string): Promise<boolean> {
  const found = await workTreeAt(cwd);
  if (!found.ok) return false;
  if (currentBox() !== null) return true;
  const roots = workTreeTops(found);
  return startedInside(ancestry(roots), liveRuns(roots, stateHomeOf(found.commonDir))) !== null;
}

/** Returns whether a run that is active on the repository around `cwd` certainly started the process `pid`. */
export async function hasStarted(cwd: string, pid: number): Promise<boolean> {
  const found = await workTreeAt(cwd);
  if (!found.ok) return false;
  const roots = workTreeTops(found);
  return startedInside(ancestry(roots, pid), liveRuns(roots, stateHomeOf(found.commonDir)))?.isSure === true;
}

function refusal({ name }: DecidingCommand, by: string): Failure {
  return failure(`${name} decides for you, and this was started by ${by}.`, 'Run it in your own terminal.');
}

/**
 * Returns a failure for a process of unclear origin: a terminal that you opened during a run looks like a process that
 * an agent detached.
 */
function doubt({ name }: DecidingCommand, by: string): Failure {
  return failure(
    `${name} decides for you, and this can't be told from what ${by} started: no program above it is older than the run.`,
    'Run it in a terminal that was open before the run began.',
  );
}

/** Returns the caller's name from the records. If they can't be opened, the command is refused all the same. */
async function recordRefusal(command: DecidingCommand, live: LiveRun | null, commonDir: string) {
  const unknown = live === null ? 'an agent of a run that has ended' : `the run ${live.run ?? 'of now'}`;
  if (live !== null) takeHomeOf(live);
  try {
    // In another state home than the run's, the records would look forged.
    if (!existsSync(stateHomeOf(commonDir))) return unknown;
    const by = await inWorkspace({ cwd: command.cwd }, ({ store, workplace: { worker } }) => {
      const run = live?.run ?? '';
      const by = attemptAtWork(store.state, run) ?? unknown;
      recordRefused(store, worker, run, { name: command.name, line: shown(command.argv) });
      return by;
    });
    return typeof by === 'string' ? by : unknown;
  } catch {
    return unknown;
  }
}

/** Sets the state home to that of the run, because an agent may have changed this process's environment. */
function takeHomeOf({ pid }: LiveRun): void {
  const env = environmentOf(pid);
  if (env.size === 0) return;
  for (const name of ['HOME', 'XDG_STATE_HOME']) {
    const value = env.get(name);
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

function shown(argv: readonly string[]): string {
  const line = ['ralph', ...argv].map(shellQuote).join(' ');
  const plain = stripControl(line).replaceAll(/\s+/g, ' ');
  return shortened(redactDeep(plain, secretsFromEnv(process.env)), LONGEST_COMMAND);
}
