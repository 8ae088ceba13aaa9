import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { readPlainFile } from 'ralph-kit/files/plain-file';
import { parseJson } from 'ralph-kit/parse-json';
import { tryOr } from 'ralph-kit/try-or';
import { loadConfig } from '../../config/index.ts';
import type { Config, ConfigProblem } from '../../domain/config.ts';
import { EMPTY_STATE, type State } from '../../domain/records/state.ts';
import { findWorkTree, locate } from '../../git/index.ts';
import { liveHolder } from '../../store/index.ts';
import { LockHolder } from '../../store/lock/lock.ts';
import { loadConfigFiles } from '../setup/load-config.ts';
import { ralphFolder } from '../setup/ralph-folder.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import type { ConfigEntry } from '../setup/trust/trust-items.ts';
import { type JournalFacts, readJournal } from './read-journal.ts';

/** Facts that several checks need. Paths are absolute. */
export type Scene = {
  readonly folder: string;
  /** Top of the repository; outside of one, the nearest folder with `.ralph/`. */
  readonly root: string;
  /** ralph's folder: its records of this work tree. */
  readonly records: string;
  readonly located: Awaited<ReturnType<typeof locate>>;
  readonly stateHome: string | null;
  /** The configuration; the built-in one if the files have errors. */
  readonly config: Config;
  readonly configFiles: ConfigFiles;
  readonly locks: readonly LockFacts[];
  readonly running: boolean;
  readonly journal: JournalFacts;
  readonly state: State;
};

export type ConfigFiles = {
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  /** Unknown keys. A run doesn't start with them. */
  readonly unknownKeys: readonly ConfigProblem[];
  /** All values with their source; empty if the configuration has errors. */
  readonly entries: readonly ConfigEntry[];
  readonly projectFile: boolean;
};

export type LockFacts = {
  readonly name: string;
  readonly state: 'live' | 'dead' | 'damaged' | 'other_host';
  readonly holder: { readonly pid: number; readonly host: string; readonly run: string | null } | null;
};

/**
 * Reads the shared facts without changing anything. Broken files are reported as facts.
 * @param folder Absolute path without symbolic links.
 */
export async function openScene(folder: string): Promise<Scene> {
  const located = await locate(folder);
  const found = located.ok ? located.tree : tryOr(null, () => findWorkTree(folder, process.env));
  const root = found?.top ?? folderWithRalph(folder);
  const stateHome = found === null ? null : tryOr(null, () => stateHomeOf(found.commonDir));
  const owned = found === null ? null : tryOr(null, () => ralphFolder(found));
  const records = owned?.folder ?? join(root, '.ralph');
  const { journal, state } = tryOr(
    {
      journal: { kind: 'unreadable' as const, reason: 'its folder cannot be read' },
      state: EMPTY_STATE,
    },
    () => readJournal(owned, stateHome),
  );
  const locks = ['run.lock', 'state.lock'].flatMap((name) => lockFacts(records, name));
  const running = locks.some(
    ({ name, state: held }) => name === 'run.lock' && (held === 'live' || held === 'other_host'),
  );
  return {
    folder,
    root,
    records,
    located,
    stateHome,
    ...(await readConfig(root)),
    locks,
    running,
    journal,
    state,
  };
}

/** Returns the configuration. If it has errors, other checks use the built-in one. */
async function readConfig(root: string): Promise<Pick<Scene, 'config' | 'configFiles'>> {
  const loaded = await loadConfigFiles({ root, env: process.env, flags: {} });
  const projectFile = existsSync(join(root, '.ralph', 'ralph.toml'));
  if (loaded.ok) {
    const { config, warnings, unknownKeys, entries } = loaded;
    return { config, configFiles: { problems: [], warnings, unknownKeys, entries: entries(), projectFile } };
  }
  const builtIn = loadConfig({ userToml: null, projectToml: null, env: {}, flags: {} });
  if (!builtIn.ok) throw new Error('the built-in configuration has a mistake');
  const { problems } = loaded;
  return {
    config: builtIn.config,
    configFiles: { problems, warnings: [], unknownKeys: [], entries: [], projectFile },
  };
}

function lockFacts(dir: string, name: string): LockFacts[] {
  const path = join(dir, name);
  return tryOr([], (): LockFacts[] => {
    const file = readPlainFile(path);
    if (file.kind === 'absent') return [];
    const text = file.kind === 'file' ? file.bytes.toString('utf8') : '';
    const holder = parseJson(text, LockHolder);
    if (holder === null) return [{ name, state: 'damaged', holder }];
    const { pid, host, run } = holder;
    const alive = liveHolder(path, hostname()) !== null;
    const state = host !== hostname() ? 'other_host' : alive ? 'live' : 'dead';
    return [{ name, state, holder: { pid, host, run } }];
  });
}

/** Returns the nearest parent folder with `.ralph/`, otherwise the folder itself. Used outside of a git repository. */
function folderWithRalph(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.ralph'))) return at;
    if (dirname(at) === at) return folder;
  }
}
