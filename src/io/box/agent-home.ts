import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { AgentFolder, AgentHome, SignIn } from '../../domain/box/box.ts';
import { tryOr } from '../../lib/try-or.ts';
import { replaceFile } from '../files/atomic-file.ts';
import { readPlainFile } from '../files/plain-file.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { matcher } from './environment.ts';
import { findPath } from './gather.ts';
import type { FindPath, Kind, Mount, StandIn } from './mounts.ts';
import { type Became, becameOf, type HowChanged } from './refreshed.ts';

type Opened = StandIn & { readonly from: string };

export type OpenedHome = {
  readonly folders: readonly Opened[];
  readonly settings: readonly Omit<Mount, 'access'>[];
  /** Names the folders to the agent. */
  readonly env: Environment;
  /** Where a file lies, by its path below the home folder. */
  readonly fileOf: (path: string) => string;
  /** While agents are at work: brings a sign-in that one of them refreshed to your file, and from there to those in other folders. */
  readonly share: () => void;
  /** Takes refreshed sign-ins over into your own files. */
  readonly close: () => void;
};

/** Sign-ins are small; what isn't is none. */
const MAX_SIGN_IN = 16 * 1024 * 1024;

/** A sign-in that an agent's box changed and that was not carried back. */
export type KeptSignIn = {
  readonly path: string;
  /** Why; `unproven`: nothing in it says whose it is. */
  readonly how: HowChanged | 'unproven';
  /** Your file, which is as it was. */
  readonly users: string;
  /** Where the other one is kept. */
  readonly place: string;
};

/** A file of the user, and the one in its place that agents use. */
type Carried = {
  readonly signIn: SignIn;
  readonly users: string;
  readonly agents: string;
  /** What both held when they were last the same sign-in: yours, and that of the agents where it was written otherwise. */
  readonly base: string;
  readonly taken: string;
  /** Where one goes that isn't carried back. */
  readonly aside: string;
  /** The file beside it that says whose it is, and what was copied in of that. */
  readonly account: { readonly agents: string; readonly base: string } | null;
};

/**
 * Prepares the folders of an agent: ralph's own in the place of yours, your sign-ins copied in, your settings on top.
 *
 * @param place Where ralph keeps the folders of this agent.
 * @param isAlone No agent is at work in these folders: what another one left there that isn't a session or a sign-in goes.
 * @param onKept A sign-in changed in there in a way that no refresh does, and is new.
 * @throws The Node error when they can't be made.
 */
export function openAgentHome(
  agent: AgentHome,
  place: string,
  home: string,
  env: Environment,
  isAlone: boolean,
  onKept: (kept: KeptSignIn) => void,
): OpenedHome {
  const copied = [...agent.signIns.map(({ path }) => path), ...agent.copies.map(({ to }) => to)];
  const lasting = [...agent.sessions, ...copied];
  const folders = agent.folders.map((folder): Opened => {
    const from = join(place, folder.path.replaceAll('/', '-'));
    mkdirSync(from, { recursive: true, mode: 0o700 });
    if (isAlone) tidy(from, folder.path, lasting);
    return { path: placeOf(folder, home, env), from };
  });
  /** Where a path lies with you, and in the box; the first is a guess for what lies in no folder of the agent. */
  const lies = (name: string) => {
    const at = agent.folders.findIndex(({ path }) => name.startsWith(`${path}/`));
    const { path = home, from = place } = folders[at] ?? {};
    const rest = at < 0 ? name : name.slice((agent.folders[at]?.path ?? '').length + 1);
    return { users: join(path, rest), agents: join(from, rest) };
  };
  const noteAt = (kind: string, name: string) => join(place, `${kind}-${name.replaceAll('/', '-')}`);
  const signIns = agent.signIns.map((signIn): Carried => {
    const { path, accountIn } = signIn;
    const account =
      accountIn === undefined
        ? null
        : { agents: lies(accountIn.file).agents, base: noteAt('carried', accountIn.file) };
    const notes = {
      base: noteAt('carried', path),
      taken: noteAt('taken', path),
      aside: noteAt('kept', path),
    };
    return { signIn, ...lies(path), ...notes, account };
  });
  // What a ralph that was killed could not carry back.
  const became = signIns.map((one) => carryOut(one, onKept));
  for (const { from, to } of agent.copies) {
    // Where a variable names its folder, the agent keeps this in there.
    const inFolder = lies(to);
    const bytes = copyIn(
      findPath(inFolder.users) === null ? lies(from).users : inFolder.users,
      inFolder.agents,
    );
    keep(noteAt('carried', to), bytes);
  }
  for (const [at, one] of signIns.entries()) {
    const found = became[at];
    // Those at work may refresh it at this very moment.
    if (!isAlone && (found?.kind === 'same' || found?.kind === 'refreshed')) continue;
    bring(one);
    // Yours may be worth nothing any more: a refresh can end the token before.
    if (found?.kind === 'unproven') keep(one.agents, Buffer.from(found.content));
  }
  const settings = agent.settings.map(lies).flatMap(({ users, agents }) => {
    const found = findPath(users);
    // What an attempt left here would be settings for the next one. Where yours are shown to others at work, they would lose them.
    if (isAlone || found === null || kindOf(agents) !== found.kind)
      rmSync(agents, { recursive: true, force: true });
    return found === null ? [] : [{ path: users, from: found.real, kind: found.kind }];
  });
  const named = agent.folders.flatMap(({ variable }, at) =>
    variable === null ? [] : [[variable, folders[at]?.path] as const],
  );
  return {
    ...{ folders, settings, env: Object.fromEntries(named), fileOf: (path) => lies(path).agents },
    share: () => {
      for (const one of signIns) share(one);
    },
    close: () => {
      for (const one of signIns) carryOut(one, onKept);
    },
  };
}

/** Removes all of a folder but what lasts, `*` for anything, and the folders that lead there. */
function tidy(folder: string, path: string, lasts: readonly string[]): void {
  const isLasting = matcher(lasts);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [at, below] = [join(folder, entry.name), `${path}/${entry.name}`];
    if (isLasting(below)) continue;
    if (entry.isDirectory() && lasts.some((one) => one.startsWith(`${below}/`))) tidy(at, below, lasts);
    else rmSync(at, { recursive: true, force: true });
  }
}

/** Where a file of an agent lies that runs in no box; `null`: in none of its folders. */
export function usersAgentFile({ folders }: AgentHome, path: string, env: Environment): string | null {
  const folder = folders.find((each) => path.startsWith(`${each.path}/`));
  const { HOME } = env;
  if (folder === undefined || HOME === undefined) return null;
  return join(named(folder, env) ?? join(HOME, folder.path), path.slice(folder.path.length + 1));
}

/** Where an agent's folder lies, links followed; made where there is none, so that another can stand there. */
function placeOf(agentFolder: AgentFolder, home: string, env: Environment): string {
  const folder = named(agentFolder, env) ?? join(home, agentFolder.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return findPath(folder)?.real ?? folder;
}

function named({ path, variable, base }: AgentFolder, env: Environment): string | null {
  const itself = variable === null ? undefined : env[variable];
  if (itself !== undefined && isAbsolute(itself)) return itself;
  const around = base === null ? undefined : env[base];
  return around !== undefined && isAbsolute(around) ? join(around, basename(path)) : null;
}

/** The folders of agents that are there, for those who mustn't see them. */
export function agentFoldersThere(
  agents: readonly AgentHome[],
  home: string,
  env: Environment,
  findPath: FindPath,
): string[] {
  const all = agents.flatMap(({ folders }) =>
    folders.flatMap((folder) => [join(home, folder.path), named(folder, env) ?? []].flat()),
  );
  return [...new Set(all.flatMap((path) => findPath(path)?.real ?? []))];
}

/** @returns what was copied; `null`: you have none. */
function copyIn(users: string, agents: string): Buffer | null {
  const bytes = readSignIn(findPath(users)?.real ?? users);
  if (bytes === null) return null;
  mkdirSync(dirname(agents), { recursive: true, mode: 0o700 });
  replaceFile(agents, bytes, { mode: 0o600 });
  return bytes;
}

/** Yours comes into the box. */
function bring({ users, agents, base, taken }: Carried): void {
  keep(base, copyIn(users, agents));
  keep(taken, null);
}

/** What became of a sign-in in the box since it was the same as yours; `null`: one of them is missing. */
function becameInBox({ signIn, users, agents, base, taken, account }: Carried) {
  const usersPath = findPath(users)?.real ?? users;
  const [before, after, now] = [readSignIn(base), readSignIn(agents), readSignIn(usersPath)];
  if (before === null || after === null || now === null) return null;
  const became: Became =
    readSignIn(taken)?.equals(after) === true
      ? { kind: 'same' }
      : becameOf(
          signIn,
          { signIn: before, account: account && readSignIn(account.base) },
          { signIn: after, account: account && readSignIn(account.agents) },
        );
  return { became, before, after, now, usersPath };
}

type InBox = NonNullable<ReturnType<typeof becameInBox>>;

/** Yours becomes what an agent refreshed; its own file stays as it wrote it. */
function refresh({ base, taken }: Carried, { became, after, usersPath }: InBox): void {
  if (became.kind !== 'refreshed') return;
  keep(usersPath, Buffer.from(became.content));
  keep(base, Buffer.from(became.content));
  keep(taken, after);
}

/** Brings a refreshed sign-in back, unless yours changed meanwhile; keeps one aside that changed otherwise. */
function carryOut(carried: Carried, onKept: (kept: KeptSignIn) => void): Became | null {
  const { signIn, users, aside } = carried;
  const found = becameInBox(carried);
  if (found === null || !found.before.equals(found.now)) return null;
  const { became, after } = found;
  refresh(carried, found);
  if (became.kind === 'unproven' || became.kind === 'changed') {
    const content = became.kind === 'unproven' ? Buffer.from(became.content) : after;
    if (readSignIn(aside)?.equals(content) !== true) {
      keep(aside, content);
      const how = became.kind === 'unproven' ? became.kind : became.how;
      onKept({ path: signIn.path, how, users, place: aside });
    }
  }
  return became;
}

/** What else becomes of a sign-in, in the box or outside, is checked when an agent has ended or begins. */
function share(carried: Carried): void {
  const found = becameInBox(carried);
  if (found === null) return;
  if (found.before.equals(found.now)) refresh(carried, found);
  else if (found.became.kind === 'same' && isRefreshOf(carried, found)) bring(carried);
}

/** Whether yours is what it was, refreshed by you or by an agent in another folder. */
function isRefreshOf({ signIn }: Carried, { before, now }: InBox): boolean {
  const became = becameOf(signIn, { signIn: before, account: null }, { signIn: now, account: null });
  return became.kind === 'refreshed' || became.kind === 'unproven';
}

/** What lies there, a link not followed; `null`: neither. */
function kindOf(path: string): Kind | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : null;
}

/** @param bytes `null`: nothing, so nothing stays. */
function keep(path: string, bytes: Buffer | null): void {
  if (bytes === null) rmSync(path, { force: true });
  else replaceFile(path, bytes, { mode: 0o600 });
}

/** Follows no link: an agent could have made one. */
function readSignIn(path: string): Buffer | null {
  const file = tryOr(null, () => readPlainFile(path, MAX_SIGN_IN));
  return file?.kind === 'file' ? file.bytes : null;
}
