import { mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { AgentHome } from '../../domain/box/box.ts';
import { isRecord } from '../../lib/is-record.ts';
import type { Environment } from '../proc/launch/running.ts';
import { replaceFile } from '../store/files/atomic-file.ts';
import { readPlainFile } from '../store/files/plain-file.ts';
import { look } from './gather.ts';
import type { Mount } from './mounts.ts';

/** A folder of ralph's that stands in the place of one of an agent's. */
type StandIn = { readonly path: string; readonly from: string };

export type OpenedHome = {
  readonly folders: readonly StandIn[];
  readonly settings: readonly Omit<Mount, 'access'>[];
  /** Names the folders to the agent. */
  readonly env: Environment;
  /** Takes refreshed sign-ins over into your own files. */
  readonly close: () => void;
};

/** Sign-ins are small; what isn't is none. */
const MAX_SIGN_IN = 1024 * 1024;

/**
 * Prepares the folders of an agent: ralph's own in the place of yours, your sign-ins copied in, your settings on top.
 *
 * @param place Where ralph keeps the folders of this agent.
 * @throws The Node error when they can't be made.
 */
export function openAgentHome(agent: AgentHome, place: string, home: string, env: Environment): OpenedHome {
  const folders = agent.folders.map(({ path, variable }): StandIn => {
    const from = join(place, path.replaceAll('/', '-'));
    mkdirSync(from, { recursive: true, mode: 0o700 });
    return { path: folderOf(path, variable, home, env), from };
  });
  const inFolders = (name: string) => {
    const at = agent.folders.findIndex(({ path }) => name.startsWith(`${path}/`));
    const folder = folders[at];
    const rest = name.slice((agent.folders[at]?.path ?? '').length + 1);
    return folder === undefined ? [] : [{ theirs: join(folder.path, rest), ours: join(folder.from, rest) }];
  };
  const carried = agent.signIns.flatMap(inFolders).map(carryIn);
  const settings = agent.settings.flatMap(inFolders).flatMap(({ theirs }) => {
    const found = look(theirs);
    return found === null ? [] : [{ path: theirs, from: found.real, kind: found.kind }];
  });
  const named = agent.folders.flatMap(({ variable }, at) =>
    variable === null ? [] : [[variable, folders[at]?.path] as const],
  );
  return {
    ...{ folders, settings, env: Object.fromEntries(named) },
    close: () => {
      for (const carryOut of carried) carryOut();
    },
  };
}

/** Where an agent's folder lies, links followed; made where there is none, so that another can stand there. */
function folderOf(path: string, variable: string | null, home: string, env: Environment): string {
  const set = variable === null ? undefined : env[variable];
  const folder = set !== undefined && isAbsolute(set) ? set : join(home, path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return look(folder)?.real ?? folder;
}

/** The folders of agents that are there, for those who mustn't see them. */
export function agentFoldersThere(agents: readonly AgentHome[], home: string, env: Environment): string[] {
  const all = agents.flatMap(({ folders }) =>
    folders.flatMap(({ path, variable }) => [
      join(home, path),
      variable === null ? '' : (env[variable] ?? ''),
    ]),
  );
  return [...new Set(all.filter(isAbsolute).flatMap((path) => look(path)?.real ?? []))];
}

/** Gives the function that brings a refreshed sign-in back, unless yours changed meanwhile. */
function carryIn({ theirs, ours }: { readonly theirs: string; readonly ours: string }): () => void {
  const before = readSignIn(theirs);
  if (before === null) return () => undefined;
  mkdirSync(dirname(ours), { recursive: true, mode: 0o700 });
  replaceFile(ours, before, { mode: 0o600 });
  return () => {
    const after = readSignIn(ours);
    const now = readSignIn(theirs);
    if (after === null || now === null || after.equals(before) || !now.equals(before)) return;
    if (hasSameForm(before, after)) replaceFile(look(theirs)?.real ?? theirs, after, { mode: 0o600 });
  };
}

function readSignIn(path: string): Buffer | null {
  try {
    const file = readPlainFile(look(path)?.real ?? path, MAX_SIGN_IN);
    return file.kind === 'file' ? file.bytes : null;
  } catch {
    return null;
  }
}

/** A refreshed token stands where the old one stood: nothing else is taken over. */
function hasSameForm(before: Buffer, after: Buffer): boolean {
  const [old, fresh] = [before, after].map((bytes) => {
    try {
      return JSON.parse(bytes.toString('utf8')) as unknown;
    } catch {
      return null;
    }
  });
  if (!isRecord(old) || !isRecord(fresh)) return false;
  return Object.keys(fresh).every((name) => name in old);
}
