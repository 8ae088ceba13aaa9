import type { Engine } from 'ralph-fleet';
import { type FleetRemote, openRemote, type Seal } from 'ralph-fleet/jobs';
import { sha256 } from 'ralph-kit/files/sha256';
import { serveLocally } from '../../io/serve/serve-locally.ts';
import { openSeal } from '../../store/index.ts';
import { type Failure, failure } from '../result.ts';
import { FLEET_ADDRESS } from './fleet-address.ts';
import type { Project } from './project.ts';
import { canonicalItems, commandItems } from './trust/trust-items.ts';

export type Fleet = {
  readonly ok: true;
  readonly engine: Engine;
  readonly remote: FleetRemote;
  readonly seal: Seal;
};

/** Number of characters of the first commit's id that identify the repository in a fleet. */
const NAME = 16;

export async function openFleet(
  project: Project,
  { leaseMs, onProblem }: { readonly leaseMs: number; readonly onProblem: (message: string) => void },
): Promise<Fleet | Failure> {
  const place = await placeOf(project);
  if (!place.ok) return place;
  const { url, repository, remote, seal } = place;
  const open = await installed(async () => (await import('ralph-fleet')).openEngine);
  if (open === null)
    return failure(
      "ralph-fleet isn't installed beside ralph.",
      'npm install --global ralph-gold ralph-fleet',
    );
  try {
    return { ok: true, engine: await open({ url, repository, leaseMs, onProblem }), remote, seal };
  } catch (error) {
    return failure(`${(error as Error).message}.`, `Check ${FLEET_ADDRESS.name}, and that its server is up.`);
  }
}

/** Returns a failure for a refusal by the fleet's server. @throws all other errors */
export function engineFailure(error: unknown): Failure {
  if ((error as Error).name !== 'EngineError') throw error;
  return failure(`The server of the fleet refuses: ${(error as Error).message}`, 'ralph fleet doctor');
}

async function placeOf({ git, stateHome }: Project) {
  const { name, url } = FLEET_ADDRESS;
  if (url === '')
    return failure(
      `${name} isn't set: the Redis or Postgres of the fleet.`,
      `export ${name}=redis://HOST:6379`,
    );
  const target = await git.pushTarget(null);
  if (target === null)
    return failure(
      'Workers of a fleet get the work from a remote, and this branch is pushed to none.',
      'git push -u origin HEAD',
    );
  const seal = openSeal(stateHome);
  const remote = openRemote(git.fleet(target.remote), seal);
  return { ok: true as const, url, repository: (await remote.repository()).slice(0, NAME), remote, seal };
}

type Serving = Omit<Parameters<typeof serveLocally>[0], 'answerAt'>;

/** Serves the engine's page until it is stopped. @throws the Node error if the port isn't available. */
export async function serveFleetBoard(project: Project, serving: Serving): Promise<{ ok: true } | Failure> {
  const place = await placeOf(project);
  if (!place.ok) return place;
  if (!/^rediss?:/.test(place.url))
    return failure('The board shows queues in a Redis, and this fleet has a Postgres.', 'ralph fleet status');
  if (await serveBoard(place, serving)) return { ok: true };
  return failure(
    "ralph-fleet isn't installed beside ralph with its optional packages.",
    'npm install --global ralph-gold ralph-fleet --include=optional',
  );
}

/** Serves a repository's queues in Redis; returns false if the packages aren't installed. @throws as `serveLocally` */
export async function serveBoard(
  { url, repository }: { readonly url: string; readonly repository: string },
  serving: Serving,
): Promise<boolean> {
  const open = await installed(async () => (await import('ralph-fleet/board')).openBoard);
  if (open === null) return false;
  let close = async (): Promise<void> => undefined;
  const answerAt = async (base: string) => {
    const board = await open({ url, repository, base });
    close = board.close;
    return board.answer;
  };
  try {
    await serveLocally({ ...serving, answerAt });
  } finally {
    await close();
  }
  return true;
}

/** SHA-256 of the commands in a repository's configuration, equal on machines that run the same commands. */
export function commandsOf({ config, configEntries }: Pick<Project, 'config' | 'configEntries'>): string {
  return sha256(canonicalItems(commandItems(configEntries(), config)));
}

/** Most users don't need a fleet, so the engine is a package of its own. Returns `null` if it isn't installed. */
async function installed<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return null;
  }
}
