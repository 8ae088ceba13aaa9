import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { ConfigText, LoadedConfig } from '../../config/index.ts';
import { isNewName, loadConfig } from '../../config/index.ts';
import type { Config, ConfigProblem } from '../../domain/config.ts';
import { readFileBytes, whyUnreadable } from '../../io/store/index.ts';
import { templateConflicts } from '../../prompt/index.ts';

/** How the project's file is called in messages, relative to the repository. */
export const PROJECT_FILE = '.ralph/ralph.toml';
/** Where ralph-gold looked too. */
const ROOT_FILE = 'ralph.toml';

export type ConfigSources = {
  /** Top of the repository. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Bytes of the project's file as it was in some commit; `null`: there was none. Absent: what the work tree has. */
  readonly settings?: Buffer | null;
  /** Values by dotted key; `undefined` counts as not given. */
  readonly flags: Readonly<Record<string, unknown>>;
};

/** Reads the files and gives the configuration in effect. A file that cannot be read is a problem, none is not. */
export function loadConfigFiles({ root, env, flags, settings }: ConfigSources): LoadedConfig {
  const user = userFile(env);
  const userRead = user === null ? NONE : readConfigFile(user.path, user.name);
  const projectRead =
    settings === undefined
      ? readConfigFile(join(root, PROJECT_FILE), PROJECT_FILE)
      : settings === null
        ? NONE
        : configFile(settings, PROJECT_FILE);
  const unreadable = [userRead, projectRead].flatMap((read) => (read.ok ? [] : [read.problem]));
  const userToml = userRead.ok ? userRead.file : null;
  const projectToml = projectRead.ok ? projectRead.file : null;
  const loaded = loadConfig({ userToml, projectToml, env, flags });
  if (unreadable.length > 0) {
    return { ok: false, problems: [...unreadable, ...(loaded.ok ? [] : loaded.problems)] };
  }
  if (!loaded.ok) return loaded;
  const unused = projectToml === null ? unusedRootFile(root) : [];
  const files = [...missingFiles(root, loaded), ...conflictWarnings(root, loaded.config)];
  return { ...loaded, warnings: [...loaded.warnings, ...files, ...unused] };
}

/** What you name and isn't there changes nothing. */
function missingFiles(root: string, loaded: Extract<LoadedConfig, { ok: true }>): ConfigProblem[] {
  const { prompt, notes } = loaded.config.files;
  const isMissing = (path: string) => !existsSync(resolve(root, path));
  const named = (key: string, paths: readonly string[], instead: string): ConfigProblem[] => {
    const { layer, source, line } = loaded.provenance(key);
    if (layer === 'built-in') return [];
    const written = loaded.writtenAs(key);
    // ralph-gold's key names one file: AGENTS.md beside it isn't one that you miss.
    const expected = written === 'files.agents' && paths.length > 1 ? paths.slice(1) : paths;
    return expected.filter(isMissing).map((path) => ({
      ...{ source, line, key },
      message: `[files] ${written.slice('files.'.length)} has no effect: there is no file ${path}${instead}`,
    }));
  };
  return [
    ...named('files.prompt', [prompt], '; the built-in template is used'),
    ...named('files.notes', notes, ''),
  ];
}

/** The prompt says what holds instead, but an agent does best with one that doesn't contradict itself. */
function conflictWarnings(root: string, { files, tracker }: Config): ConfigProblem[] {
  const read = readConfigFile(resolve(root, files.prompt), files.prompt);
  if (!read.ok || read.file === null) return [];
  const lines = templateConflicts(read.file.text, tracker.path);
  const [first] = lines;
  if (first === undefined) return [];
  const [where, verb] = lines.length === 1 ? ['this line', 'orders'] : [`lines ${lines.join(', ')}`, 'order'];
  const message = `${where} ${verb} what ralph does itself (tick tasks, write to .ralph/, commit); the prompt takes that back at its end`;
  return [{ source: files.prompt, line: first, key: 'files.prompt', message }];
}

/** One line for each: `.ralph/ralph.toml:3: …`. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map(({ source, line, message }) => {
      // The name of an option is enough.
      const text = source.startsWith('--') ? message.replace(/^\[\w+\] \w+: /, '') : message;
      return `${source}${line === null ? '' : `:${line}`}: ${text}`;
    })
    .join('\n');
}

/** One line for each, and one for all settings by older names: they have their effect. */
export function noticesOf(warnings: readonly ConfigProblem[]): string[] {
  const renamed = warnings.filter(({ message }) => isNewName(message));
  const others = warnings.filter((one) => !renamed.includes(one)).map((one) => formatProblems([one]));
  const [first] = renamed;
  if (first === undefined || renamed.length === 1) return warnings.map((one) => formatProblems([one]));
  const names = renamed.reduce((sum, { message }) => sum + message.split(' as [').length - 1, 0);
  return [
    `${first.source}: ${names} older names are read as what they are called here: ralph doctor`,
    ...others,
  ];
}

type FileRead =
  | { readonly ok: true; readonly file: ConfigText | null }
  | { readonly ok: false; readonly problem: ConfigProblem };

const NONE: FileRead = { ok: true, file: null };

/** `$XDG_CONFIG_HOME/ralph/config.toml`; a relative directory there counts as not set (XDG Base Directory). */
function userFile(env: ConfigSources['env']): { path: string; name: string } | null {
  const xdg = env.XDG_CONFIG_HOME ?? '';
  if (isAbsolute(xdg)) {
    const path = join(xdg, 'ralph', 'config.toml');
    return { path, name: path };
  }
  const home = env.HOME ?? '';
  if (!isAbsolute(home)) return null;
  return { path: join(home, '.config', 'ralph', 'config.toml'), name: '~/.config/ralph/config.toml' };
}

function readConfigFile(path: string, name: string): FileRead {
  try {
    return configFile(readFileBytes(path), name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' && !isLink(path)) return NONE;
    return unreadable(name, `: ${whyUnreadable(error)}; make it a file that you can read`);
  }
}

function configFile(bytes: Buffer, name: string): FileRead {
  if (!isUtf8(bytes)) return unreadable(name, ': it is not valid UTF-8; save it in that encoding');
  return { ok: true, file: { name, text: bytes.toString('utf8').replace(/^\uFEFF/, '') } };
}

/** A link to nothing is a file that you miss. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function unreadable(source: string, why: string): FileRead {
  return { ok: false, problem: { source, line: null, key: '', message: `cannot be read${why}` } };
}

function unusedRootFile(root: string): ConfigProblem[] {
  const read = readConfigFile(join(root, ROOT_FILE), ROOT_FILE);
  if (!read.ok || read.file === null) return [];
  const message = `is not read; move it to ${PROJECT_FILE}`;
  return [{ source: ROOT_FILE, line: null, key: '', message }];
}
