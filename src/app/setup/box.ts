import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ADAPTERS } from '../../agent/index.ts';
import { instructionFiles } from '../../decide/index.ts';
import type { BoxStatus, Showing } from '../../domain/box/box.ts';
import type { Network } from '../../domain/box/network.ts';
import type { Config } from '../../domain/config.ts';
import { EXIT } from '../../domain/exit.ts';
import type { GateSpec } from '../../domain/gate.ts';
import type { Store } from '../../domain/ports.ts';
import {
  type Box,
  boxFolderOf,
  boxLine,
  detectBox,
  fileWithNames,
  layersProblem,
  linkInPlace,
  networkProblem,
  openBox,
  settingsLeftOut,
} from '../../io/box/index.ts';
import { realPathOf } from '../../io/files/real-path.ts';
import { counted } from '../../lib/counted.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { firstFew } from '../../lib/text.ts';
import { type Failure, failure } from '../result.ts';
import { heldOutOf } from './held-out.ts';
import { recordKept } from './kept-sign-in.ts';
import { attemptAtWork, recordRefused } from './refused-command.ts';
import { recordRefusedHost } from './refused-host.ts';

/** The repository that programs run in. */
export type Site = {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly stateHome: string;
  readonly config: Config;
  readonly gates: readonly Pick<GateSpec, 'heldOut'>[];
  readonly store: Pick<Store, 'state' | 'commit'>;
  readonly workplace: { readonly worker: number };
};

export type PlannedBox = {
  readonly ok: true;
  /** `null`: programs run as if there was none. */
  readonly box: Box | null;
  /** What a run prints of it. */
  readonly line: string;
};

/** What isolates the programs of a run here, as far as `[box]` asks for it; a failure says why none may start. */
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

/** Settings of tools that boxes go without; empty: none. */
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

/** Files that a line names. */
const LEFT_OUT_NAMED = 5;

const OPEN = { network: 'on', gate_network: 'on' } as const;

/** Why what `[box]` says of the network can't be kept here; `null`: it can, or says nothing. */
export function networkUnkept(
  { root, config }: Pick<Site, 'root' | 'config'>,
  status: BoxStatus,
): string | null {
  if (!limitsNetwork(config.box)) return null;
  if (status.kind === 'off') return 'it needs the box';
  return networkProblem(status, isForeign(root));
}

/** What agents and gates reach, for a line; empty: everything. */
export function networkText({ network, gate_network = network }: Config['box']): string {
  if (network === 'on' && gate_network === 'on') return '';
  const words = (one: Network) => (typeof one === 'string' ? one : counted(one.length, 'host'));
  return `network: agents ${words(network)}, gates ${words(gate_network)}`;
}

/** Whether something is said of the network. */
export function limitsNetwork({
  network,
  gate_network = network,
}: Pick<Config['box'], 'network' | 'gate_network'>) {
  return network !== 'on' || gate_network !== 'on';
}

/** The boxes of a repository. */
export function boxIn(
  site: Site,
  status: Extract<BoxStatus, { kind: 'on' }>,
  place: { readonly folder: string; readonly makesFolders: boolean },
): Box {
  const { config, gates, root, gitDir, commonDir, stateHome, store, workplace } = site;
  return openBox({
    ...{
      status,
      isForeign: isForeign(root),
      settings: config.box,
      variables: config.gates.env,
      root,
      gitDir,
      commonDir,
      ...place,
    },
    stateHome: realPathOf(stateHome),
    home: realPathOf(homedir()),
    heldOut: heldOutOf(gates),
    instructions: () => instructionPaths(site),
    agents: Object.values(ADAPTERS).map(({ home }) => home),
    by: () => attemptAtWork(store.state, '') ?? 'the run of now',
    onRefused: (command) => recordRefused(store, workplace.worker, '', command),
    onHostRefused: (host) => recordRefusedHost(store, workplace.worker, host),
    onSignInKept: (agent, kept) => recordKept(store, workplace.worker, agent, kept),
  });
}

/** What can be isolated here, whatever the settings are. */
export function boxStatusOf({ root }: Pick<Site, 'root'>): BoxStatus {
  return detectBox(isForeign(root));
}

/** How boxes show copies that lie below a folder. */
export function showingIn(root: string, place: string): Showing {
  return layersProblem(place, isForeign(root)) === null ? 'layers' : 'whole';
}

/** Why boxes can't show copies above what git ignores; `null`: they can. */
export function layersProblemIn(root: string, place: string): string | null {
  return layersProblem(place, isForeign(root));
}

/** Root in a repository of another user, as in many containers. */
function isForeign(root: string): boolean {
  return process.getuid?.() === 0 && lstatSync(root).uid !== 0;
}

/** Files and folders that an agent takes instructions from, absolute: the task list, prompts. */
export function instructionPaths({ root, config, store }: Pick<Site, 'root' | 'config' | 'store'>): string[] {
  const lists = [config.tracker.path, store.state.tracker?.path ?? ''];
  const named = [...lists, ...lists.flatMap(completedFolders), ...instructionFiles(config)];
  return named.filter(Boolean).map((path) => resolve(root, path));
}

/** Where finished tasks of a folder of tasks are moved to: what is there is done to those that wait for it. */
function completedFolders(path: string): string[] {
  return /(?:^|\/)tasks\/?$/.test(path) ? [join(path, '..', 'completed')] : [];
}

/** What must not be a link. */
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
