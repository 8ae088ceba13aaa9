import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { AgentFolder, AgentHome, SignIn } from 'ralph-kit/agent-home';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readPlainFile } from 'ralph-kit/files/plain-file';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { tryOr } from 'ralph-kit/try-or';
import { matcher } from './environment.ts';
import { findPath } from './gather.ts';
import type { FindPath, Kind, Mount, StandIn } from './mounts.ts';
import { classifySignIn, type HowChanged, type SignInChange } from './refreshed.ts';

type Opened = StandIn & { readonly from: string };

export type OpenedHome = {
  readonly folders: readonly Opened[];
  readonly settings: readonly Omit<Mount, 'access'>[];
  /** Variables that name these folders to the agent. */
  readonly env: Environment;
  /** Returns the path of a file as the agent writes it, from its path below the home folder. */
  readonly fileOf: (path: string) => string;
  /** Called while agents run: copies a sign-in that one agent refreshed to your file and to other agents' folders. */
  readonly share: () => void;
  /** Writes refreshed sign-ins back to your own files. */
  readonly close: () => void;
};

/** Larger files aren't sign-ins; in bytes. */
const MAX_SIGN_IN = 16 * 1024 * 1024;

/** A sign-in that changed in an agent's box and was not written back to yours. */
export type KeptSignIn = {
  readonly path: string;
  /** `unproven`: nothing in the file says whose account it is. */
  readonly how: HowChanged | 'unproven';
  /** Path of your own sign-in file, which wasn't changed. */
  readonly users: string;
  /** Path of the copy that holds the changed sign-in. */
  readonly place: string;
};

type Carried = {
  readonly signIn: SignIn;
  readonly users: string;
  readonly agents: string;
  /** `base` and `taken` record your file and the agents' copy as they were when both last held the same sign-in. */
  readonly base: string;
  readonly taken: string;
  /** Path for a changed sign-in that isn't written back. */
  readonly rejectedPath: string;
  /** File that says whose account it is, and a record of it from when the sign-in was copied in. */
  readonly account: { readonly agents: string; readonly base: string } | null;
};

/**
 * Prepares an agent's folders: ralph's own replace yours, your sign-ins are copied in, your settings shown on top.
 * @param isAlone No agent runs in these folders, so leftovers that aren't sessions or sign-ins are removed.
 * @param onKept Called when a sign-in changed in a way that no refresh does.
 * @throws The Node error when the folders can't be made.
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
  /** Returns your path and the agents' path of a file; for one in no folder of the agent, yours is a guess. */
  const pathsOf = (name: string) => {
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
        : { agents: pathsOf(accountIn.file).agents, base: noteAt('carried', accountIn.file) };
    const notes = {
      base: noteAt('carried', path),
      taken: noteAt('taken', path),
      rejectedPath: noteAt('kept', path),
    };
    return { signIn, ...pathsOf(path), ...notes, account };
  });
  // A ralph that was killed may have left refreshed sign-ins behind.
  const became = signIns.map((one) => carryOut(one, onKept));
  for (const { from, to } of agent.copies) {
    // Where a variable names the agent's folder, the agent reads this file from that folder.
    const inFolder = pathsOf(to);
    const bytes = copyIn(
      findPath(inFolder.users) === null ? pathsOf(from).users : inFolder.users,
      inFolder.agents,
    );
    keep(noteAt('carried', to), bytes);
  }
  for (const [at, one] of signIns.entries()) {
    const found = became[at];
    // Running agents may be refreshing this sign-in right now.
    if (!isAlone && (found?.kind === 'same' || found?.kind === 'refreshed')) continue;
    bring(one);
    // A refresh can invalidate the older token, so your copy may no longer work.
    if (found?.kind === 'unproven') keep(one.agents, Buffer.from(found.content));
  }
  const settings = agent.settings.map(pathsOf).flatMap(({ users, agents }) => {
    const found = findPath(users);
    // An attempt's leftovers would become the next one's settings; running agents may use those of yours.
    if (isAlone || found === null || kindOf(agents) !== found.kind)
      rmSync(agents, { recursive: true, force: true });
    return found === null ? [] : [{ path: users, from: found.realPath, kind: found.kind }];
  });
  const named = agent.folders.flatMap(({ variable }, at) =>
    variable === null ? [] : [[variable, folders[at]?.path] as const],
  );
  return {
    folders,
    settings,
    env: Object.fromEntries(named),
    fileOf: (path) => pathsOf(path).agents,
    share: () => {
      for (const one of signIns) share(one);
    },
    close: () => {
      for (const one of signIns) carryOut(one, onKept);
    },
  };
}

/** Removes everything from a folder except paths that match `lasts` (`*` is a wildcard) and the folders above them. */
function tidy(folder: string, path: string, lasts: readonly string[]): void {
  const isLasting = matcher(lasts);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [at, below] = [join(folder, entry.name), `${path}/${entry.name}`];
    if (isLasting(below)) continue;
    if (entry.isDirectory() && lasts.some((one) => one.startsWith(`${below}/`))) tidy(at, below, lasts);
    else rmSync(at, { recursive: true, force: true });
  }
}

/** Returns the path of an agent's file outside a box; `null` when none of its folders has it. */
export function usersAgentFile({ folders }: AgentHome, path: string, env: Environment): string | null {
  const folder = folders.find((each) => path.startsWith(`${each.path}/`));
  const { HOME } = env;
  if (folder === undefined || HOME === undefined) return null;
  return join(named(folder, env) ?? join(HOME, folder.path), path.slice(folder.path.length + 1));
}

/** Returns the real path of an agent's folder, made when missing so that another one can be mounted on it. */
function placeOf(agentFolder: AgentFolder, home: string, env: Environment): string {
  const folder = named(agentFolder, env) ?? join(home, agentFolder.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return findPath(folder)?.realPath ?? folder;
}

function named({ path, variable, base }: AgentFolder, env: Environment): string | null {
  const itself = variable === null ? undefined : env[variable];
  if (itself !== undefined && isAbsolute(itself)) return itself;
  const around = base === null ? undefined : env[base];
  return around !== undefined && isAbsolute(around) ? join(around, basename(path)) : null;
}

/** Returns the real paths of all existing agent folders, to hide them from other programs. */
export function existingAgentFolders(
  agents: readonly AgentHome[],
  home: string,
  env: Environment,
  findPath: FindPath,
): string[] {
  const all = agents.flatMap(({ folders }) =>
    folders.flatMap((folder) => [join(home, folder.path), named(folder, env) ?? []].flat()),
  );
  return [...new Set(all.flatMap((path) => findPath(path)?.realPath ?? []))];
}

/** Returns the bytes that were copied; `null` when you have no such file. */
function copyIn(users: string, agents: string): Buffer | null {
  const bytes = readSignIn(findPath(users)?.realPath ?? users);
  if (bytes === null) return null;
  mkdirSync(dirname(agents), { recursive: true, mode: 0o700 });
  replaceFile(agents, bytes, { mode: 0o600 });
  return bytes;
}

function bring({ users, agents, base, taken }: Carried): void {
  keep(base, copyIn(users, agents));
  keep(taken, null);
}

/** Compares a sign-in in the box with its last common state; `null` when a file is missing. */
function becameInBox({ signIn, users, agents, base, taken, account }: Carried) {
  const usersPath = findPath(users)?.realPath ?? users;
  const [before, after, now] = [readSignIn(base), readSignIn(agents), readSignIn(usersPath)];
  if (before === null || after === null || now === null) return null;
  const became: SignInChange =
    readSignIn(taken)?.equals(after) === true
      ? { kind: 'same' }
      : classifySignIn(
          signIn,
          { signIn: before, account: account && readSignIn(account.base) },
          { signIn: after, account: account && readSignIn(account.agents) },
        );
  return { became, before, after, now, usersPath };
}

type InBox = NonNullable<ReturnType<typeof becameInBox>>;

/** Writes an agent's refreshed tokens to your file; the agent's own file keeps its form. */
function refresh({ base, taken }: Carried, { became, after, usersPath }: InBox): void {
  if (became.kind !== 'refreshed') return;
  keep(usersPath, Buffer.from(became.content));
  keep(base, Buffer.from(became.content));
  keep(taken, after);
}

/** Writes a refreshed sign-in back, unless yours changed meanwhile; any other change is kept aside. */
function carryOut(carried: Carried, onKept: (kept: KeptSignIn) => void): SignInChange | null {
  const { signIn, users, rejectedPath } = carried;
  const found = becameInBox(carried);
  if (found === null || !found.before.equals(found.now)) return null;
  const { became, after } = found;
  refresh(carried, found);
  if (became.kind === 'unproven' || became.kind === 'changed') {
    const content = became.kind === 'unproven' ? Buffer.from(became.content) : after;
    if (readSignIn(rejectedPath)?.equals(content) !== true) {
      keep(rejectedPath, content);
      const how = became.kind === 'unproven' ? became.kind : became.how;
      onKept({ path: signIn.path, how, users, place: rejectedPath });
    }
  }
  return became;
}

/** Changes other than a refresh are handled when an agent starts or ends. */
function share(carried: Carried): void {
  const found = becameInBox(carried);
  if (found === null) return;
  if (found.before.equals(found.now)) refresh(carried, found);
  else if (found.became.kind === 'same' && isRefreshOf(carried, found)) bring(carried);
}

/** Whether your file only changed by a refresh, by you or by an agent in another folder. */
function isRefreshOf({ signIn }: Carried, { before, now }: InBox): boolean {
  const became = classifySignIn(signIn, { signIn: before, account: null }, { signIn: now, account: null });
  return became.kind === 'refreshed' || became.kind === 'unproven';
}

/** Returns the kind of an entry without following links; `null` for anything but a file or a folder. */
function kindOf(path: string): Kind | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : null;
}

/** Writes a file with these bytes; `null` removes it. */
function keep(path: string, bytes: Buffer | null): void {
  if (bytes === null) rmSync(path, { force: true });
  else replaceFile(path, bytes, { mode: 0o600 });
}

/** Reads a sign-in; `null`: there is none. Links aren't followed: an agent could have made one. */
function readSignIn(path: string): Buffer | null {
  const file = tryOr(null, () => readPlainFile(path, MAX_SIGN_IN));
  return file?.kind === 'file' ? file.bytes : null;
}
