import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { startedInside } from '../../decide/index.ts';
import type { LiveRun } from '../../domain/ports.ts';
import { boxAround, noteRefused } from '../../io/box/index.ts';
import { workTreeTops } from '../../io/git/index.ts';
import { ancestry, environmentOf } from '../../io/proc/index.ts';
import { secretsFromEnv } from '../../lib/redact.ts';
import { redactDeep } from '../../lib/redact-deep.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { shortened, stripControl } from '../../lib/text.ts';
import { type Failure, failure } from '../result.ts';
import { attemptAtWork, recordRefused } from './refused-command.ts';
import { liveRuns } from './run-lock.ts';
import { stateHomeOf } from './state-home.ts';
import { workTreeAt } from './work-tree.ts';
import { inWorkspace } from './workspace.ts';

// Asked before the same commands.
export { ownCopy } from './own-copy.ts';

/** Characters of a command line that are recorded. */
const LONGEST_COMMAND = 300;

type DecidingCommand = {
  /** Absolute: the repository around it is the one that the command would work on. */
  readonly cwd: string;
  /** As you would call it: `ralph tasks accept`. */
  readonly name: string;
  /** The arguments as they were given. */
  readonly argv: readonly string[];
};

/**
 * Refuses a command that decides for you where it comes from what a ralph of this repository started, and records
 * that. `null`: it may run. What is wrong with the folder is for the command itself to say.
 */
export async function refuseInside(command: DecidingCommand): Promise<Failure | null> {
  const found = await workTreeAt(command.cwd);
  if (!found.ok) return null;
  const around = boxAround();
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

/** Whether a command comes from what a ralph of this repository started; nothing is recorded. */
export async function isInside(cwd: string): Promise<boolean> {
  const found = await workTreeAt(cwd);
  if (!found.ok) return false;
  if (boxAround() !== null) return true;
  const roots = workTreeTops(found);
  return startedInside(ancestry(roots), liveRuns(roots, stateHomeOf(found.commonDir))) !== null;
}

function refusal({ name }: DecidingCommand, by: string): Failure {
  return failure(`${name} decides for you, and this was started by ${by}. Run it in your own terminal.`);
}

/** A new terminal of yours looks like a process that an agent left on its own. */
function doubt({ name }: DecidingCommand, by: string): Failure {
  return failure(
    `${name} decides for you, and this can't be told from what ${by} started: no program above it is older than the run. Run it in a terminal that was open before, or log in anew.`,
  );
}

/** Names the caller, as far as the records show it; where they can't be opened, the command is refused anyway. */
async function recordRefusal(command: DecidingCommand, live: LiveRun | null, commonDir: string) {
  const unknown = live === null ? 'an agent of a run that has ended' : `the run ${live.run ?? 'of now'}`;
  if (live !== null) takeHomeOf(live);
  try {
    // With another home than the run's, the records would be taken for forged.
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

/** The run's state home counts, whatever environment the agent gave this process. */
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
