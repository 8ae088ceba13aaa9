import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ADAPTERS } from 'ralph-agents';
import {
  type Box,
  boxFolderOf,
  boxLine,
  detectBox,
  fileWithNames,
  type KeptSignIn,
  layersProblem,
  linkInPlace,
  networkProblem,
  openBox,
  type RefusedHost,
  settingsLeftOut,
} from 'ralph-box';
import type { BoxStatus, MountMode } from 'ralph-box/protocol';
import { counted } from 'ralph-kit/counted';
import { realPathOf } from 'ralph-kit/files/real-path';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew } from 'ralph-kit/text';
import { decidingPaths } from 'ralph-task-lists';
import { instructionFiles } from '../../decide/index.ts';
import type { Config } from '../../domain/config.ts';
import { EXIT } from '../../domain/exit.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { Store } from '../../domain/ports.ts';
import { packageTop } from '../../io/package-top.ts';
import { type Failure, failure } from '../result.ts';
import { heldOutOf } from './held-out.ts';
import { attemptAtWork, eventInAttempt, recordRefused } from './refused-command.ts';
import { listAt } from './tracker/list-text.ts';

export type Site = {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly stateHome: string;
  /** ralph's folder: its records of the work tree. */
  readonly folder: string;
  readonly config: Config;
  readonly gates: readonly Pick<GateSpec, 'heldOut'>[];
  readonly store: Pick<Store, 'state' | 'commit'>;
  readonly workplace: { readonly worker: number };
};

export type PlannedBox = {
  readonly ok: true;
  /** The box for the run's programs; `null`: they run without one. */
  readonly box: Box | null;
  readonly line: string;
};

/** Returns the isolation that `[box]` requires for a run's programs. A failure means that no program may start. */
export function planBox(site: Site): PlannedBox | Failure {
  const { mode } = site.config.box;
  if (mode === 'off') return { ok: true, box: null, line: 'box: off ([box] mode = "off")' };
  const status = boxStatusOf(site);
  const unkept = networkUnkept(site, status);
  const network = unkept === null ? networkText(site.config.box) : `[box] network isn't in force: ${unkept}`;
  const line = [boxLine(status), network, leftOutText(status)].filter(Boolean).join('; ');
  if (mode === 'require' && (status.kind === 'off' || status.level !== 'full')) {
    return failure(
      `${line}, and [box] mode = "require" starts nothing without a whole one.`,
      status.kind === 'off' ? status.fix : `ralph doctor names what is missing: ${status.reason}`,
      EXIT.usage,
    );
  }
  if (mode === 'require' && unkept !== null)
    return failure(
      `${line}, and [box] mode = "require" starts nothing then.`,
      'Set [box] network = "on", or run ralph where a network namespace can be made (docs/BOX.md).',
      EXIT.usage,
    );
  if (status.kind === 'off') return { ok: true, box: null, line };
  const link = linkInPlace(protectedPlaces(site));
  if (link !== null) return refusedLink(link);
  const shared = fileWithNames([...protectedPlaces(site), ...instructionPaths(site)]);
  if (shared !== null) return refusedNames(shared);
  const folder = boxFolderOf(realPathOf(site.stateHome));
  const settings = unkept === null ? site.config.box : { ...site.config.box, ...OPEN };
  const boxed = { ...site, config: { ...site.config, box: settings } };
  return { ok: true, box: boxIn(boxed, status, { folder, makesFolders: true }), line };
}

/** Returns words for settings of tools of yours that programs in a box don't get; '': there are none. */
export function leftOutText({ kind }: BoxStatus): string {
  const home = realPathOf(homedir());
  const left = kind === 'off' ? [] : settingsLeftOut(home, process.env);
  if (left.length === 0) return '';
  const names = firstFew(
    left.map((path) => path.replace(`${home}/`, '~/')),
    LEFT_OUT_NAMED,
  );
  return `without your ${names}: what signs in can't be taken out of it`;
}

const LEFT_OUT_NAMED = 5;

const OPEN = { network: 'on', gate_network: 'on' } as const;

/** Returns why the network limits of `[box]` can't be enforced on this machine; `null`: they can, or there are none. */
export function networkUnkept(
  { root, config }: Pick<Site, 'root' | 'config'>,
  status: BoxStatus,
): string | null {
  if (!limitsNetwork(config.box)) return null;
  if (status.kind === 'off') return 'it needs the box';
  return networkProblem(status, isForeign(root));
}

/** Returns words for the network limits of agents and gates; '': there are none. */
export function networkText({ network, gate_network = network }: Config['box']): string {
  if (network === 'on' && gate_network === 'on') return '';
  const words = (one: Config['box']['network']) =>
    typeof one === 'string' ? one : counted(one.length, 'host');
  return `network: agents ${words(network)}, gates ${words(gate_network)}`;
}

export function limitsNetwork({
  network,
  gate_network = network,
}: Pick<Config['box'], 'network' | 'gate_network'>) {
  return network !== 'on' || gate_network !== 'on';
}

export function boxIn(
  site: Site,
  status: Extract<BoxStatus, { kind: 'on' }>,
  place: { readonly folder: string; readonly makesFolders: boolean },
): Box {
  const { config, gates, root, gitDir, commonDir, stateHome, store, workplace } = site;
  return openBox({
    status,
    isForeign: isForeign(root),
    settings: config.box,
    variables: config.gates.env,
    root,
    gitDir,
    commonDir,
    ...place,
    stateHome: realPathOf(stateHome),
    ownProgram: packageTop(),
    records: realPathOf(site.folder),
    home: realPathOf(homedir()),
    heldOut: heldOutOf(gates),
    instructions: () => instructionPaths(site),
    agents: Object.values(ADAPTERS).map(({ home }) => home),
    by: () => attemptAtWork(store.state, '') ?? 'the run of now',
    onRefused: (command) => recordRefused(store, workplace.worker, '', command),
    onHostRefused: (host) => recordRefusedHost(store, workplace.worker, host),
    onSignInKept: (agent, kept) => recordKeptSignIn(store, workplace.worker, agent, kept),
  });
}

/** Returns the strongest isolation that works on this machine, whatever the settings are. */
export function boxStatusOf({ root }: Pick<Site, 'root'>): BoxStatus {
  return detectBox(isForeign(root));
}

export function showingIn(root: string, place: string): MountMode {
  return layersProblem(place, isForeign(root)) === null ? 'layers' : 'whole';
}

/**
 * Returns why copies of the work tree can't share the checkout's ignored files as a read-only file system layer;
 * `null`: they can.
 */
export function layersProblemIn(root: string, place: string): string | null {
  return layersProblem(place, isForeign(root));
}

/** Returns whether ralph runs as root in another user's repository, as in many containers. */
function isForeign(root: string): boolean {
  return process.getuid?.() === 0 && lstatSync(root).uid !== 0;
}

/** Returns absolute paths of files and folders with instructions for agents, such as the task list and prompts. */
export function instructionPaths({ root, config, store }: Pick<Site, 'root' | 'config' | 'store'>): string[] {
  const lists = [config.tracker.path, store.state.tracker?.path ?? ''].filter(Boolean);
  const deciding = lists.flatMap((path) => {
    const isFolder = listAt(resolve(root, path))?.isFolder === true;
    return decidingPaths(path, isFolder).map((other) => join(isFolder ? path : dirname(path), other));
  });
  const named = [...lists, ...deciding, ...instructionFiles(config)];
  return named.filter(Boolean).map((path) => resolve(root, path));
}

/** Returns paths that must not be symbolic links. */
export function protectedPlaces({ root, gitDir, commonDir }: Site): string[] {
  const ofGit = [commonDir, gitDir].flatMap((folder) =>
    ['config', 'config.worktree', 'hooks', 'info'].map((name) => join(folder, name)),
  );
  return [...ofGit, join(root, '.ralph')];
}

function refusedNames({ path, names }: { readonly path: string; readonly names: number }): Failure {
  const quoted = shellQuote(path);
  const copy = shellQuote(`${path}.copy`);
  return failure(
    `${path} has ${names} names (hard links): an agent could write it through another one, also inside the box.`,
    `Give it a copy of its own: cp -p ${quoted} ${copy} && mv ${copy} ${quoted}`,
    EXIT.usage,
  );
}

function refusedLink(link: string): Failure {
  return failure(
    `${link} is a symbolic link: an agent could point it elsewhere, so the box can't protect what is there.`,
    'Replace it with its target (for hooks: git config core.hooksPath), or set [box] mode = "off" in .ralph/ralph.toml.',
    EXIT.usage,
  );
}

const HOW: Readonly<Record<KeptSignIn['how'], string>> = {
  account: 'has another account in the box',
  entries: 'has other entries in the box',
  values: 'has something in the box that no refresh writes',
  expiry: "changed in the box and isn't newer",
  unproven: 'was refreshed in the box, and nothing in it says whose it is',
};

/** Records that a sign-in wasn't copied back. @throws StoreError if the record can't be written. */
function recordKeptSignIn(
  store: Pick<Store, 'state' | 'commit'>,
  worker: number,
  agent: string,
  kept: KeptSignIn,
): void {
  const summary = keptSignInText(agent, kept);
  store.commit((state) => [
    eventInAttempt(state, worker, '', {
      event_type: 'sign_in_kept',
      severity: 'warning',
      details: { summary },
    }),
  ]);
}

function keptSignInText(agent: string, { how, users, place }: KeptSignIn): string {
  const what = `${agent}'s sign-in ${HOW[how]}; yours is as it was.`;
  if (how !== 'unproven') return `${what} The other one is in ${place}.`;
  return `${what} If ${agent} asks you to sign in: cp ${shellQuote(place)} ${shellQuote(users)}`;
}

const WHO: Readonly<Record<RefusedHost['role'], string>> = {
  agent: 'the agent',
  gate: 'a gate',
  'set-up': 'a set-up command',
  git: 'a git hook',
  module: 'a module or a notification of yours',
};

/** Records a request for a host that isn't listed. @throws StoreError if the record can't be written. */
function recordRefusedHost(
  store: Pick<Store, 'state' | 'commit'>,
  worker: number,
  { setting, entry, role }: RefusedHost,
): void {
  const summary = `${entry} isn't listed in [box] ${setting} and was refused: ${WHO[role]} asked for it`;
  const details = { summary, setting, entry, by: role };
  store.commit((state) => [
    eventInAttempt(state, worker, '', { event_type: 'host_refused', severity: 'warning', details }),
  ]);
}
