import type { Engine, FleetRemote, Seal } from '../../domain/ports/fleet.ts';
import { sha256 } from '../../io/ids.ts';
import { openSeal } from '../../io/store/index.ts';
import { type Failure, failure } from '../result.ts';
import type { Project } from './project.ts';
import { canonicalItems, commandItems } from './trust/trust-items.ts';

export type Fleet = {
  readonly ok: true;
  readonly engine: Engine;
  readonly remote: FleetRemote;
  readonly seal: Seal;
};

/** Where the engine is; it may hold a password, so no program of a run gets it. */
const ADDRESS = 'RALPH_FLEET_URL';
/** Characters of the repository's first commit by which its keys are named. */
const NAME = 16;

let address: string | null = null;

/** Where the engine is; '': nobody said. Once it is read, it is in no environment any more. */
export function fleetAddress(): string {
  address ??= process.env[ADDRESS] ?? '';
  delete process.env[ADDRESS];
  return address;
}

/** Opens the engine of the fleet and the remote that its machines share. */
export async function openFleet(
  { git, stateHome }: Project,
  { leaseMs, onProblem }: { readonly leaseMs: number; readonly onProblem: (message: string) => void },
): Promise<Fleet | Failure> {
  const url = fleetAddress();
  if (url === '')
    return failure(
      `${ADDRESS} isn't set: the Redis or Postgres of the fleet.`,
      `export ${ADDRESS}=redis://HOST:6379`,
    );
  const target = await git.pushTarget(null);
  if (target === null)
    return failure(
      'The branch here is pushed nowhere, and a fleet meets at a remote.',
      'git push -u origin HEAD',
    );
  const open = await engineOf();
  if (open === null)
    return failure(
      "ralph-fleet isn't installed beside ralph.",
      'npm install --global ralph-gold ralph-fleet',
    );
  const seal = openSeal(stateHome);
  const remote = git.fleet(target.remote, seal);
  const repository = (await remote.repository()).slice(0, NAME);
  try {
    return { ok: true, engine: await open({ url, repository, leaseMs, onProblem }), remote, seal };
  } catch (error) {
    return failure(`${(error as Error).message}.`, 'docs/FLEET.md shows how to start one.');
  }
}

/** What the configuration of a repository runs: equal on machines that run the same. SHA-256. */
export function commandsOf({ config, configEntries }: Pick<Project, 'config' | 'configEntries'>): string {
  return sha256(canonicalItems(commandItems(configEntries(), config)));
}

/** The engine is a package of its own: most who use ralph need none of it. `null`: it isn't installed. */
async function engineOf() {
  try {
    return (await import('ralph-fleet')).openEngine;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return null;
  }
}
