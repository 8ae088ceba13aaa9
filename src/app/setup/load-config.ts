import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { accessCommand } from 'ralph-kit/files/access-command';
import { readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import type { ConfigText, LoadedConfig } from '../../config/index.ts';
import { isNewName, loadConfig, loadTranslate } from '../../config/index.ts';
import type { Config, ConfigProblem } from '../../domain/config.ts';
import { templateConflicts } from '../../prompt/index.ts';

/** Path of the project's configuration, relative to the repository. Messages use it, too. */
export const PROJECT_FILE = '.ralph/ralph.toml';
/** Another path, relative to the repository, from which ralph-gold read its configuration. */
const ROOT_FILE = 'ralph.toml';

export type ConfigSources = {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Content of the project's configuration in some commit; `null`: the commit has none. Absent: the work tree's file is
   * read.
   */
  readonly settings?: Buffer | null;
  /** Values of flags by dotted key; `undefined`: not given. */
  readonly flags: Readonly<Record<string, unknown>>;
};

/** Returns the configuration in effect. An unreadable file is a problem; a missing one isn't. */
export async function loadConfigFiles({ root, env, flags, settings }: ConfigSources): Promise<LoadedConfig> {
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
  const texts = { userToml, projectToml, env, flags };
  const asWritten = loadConfig(texts);
  const isRead = asWritten.ok && asWritten.unknownKeys.length === 0;
  const loaded = isRead ? asWritten : loadConfig(texts, await loadTranslate());
  if (unreadable.length > 0) {
    return { ok: false, problems: [...unreadable, ...(loaded.ok ? [] : loaded.problems)] };
  }
  if (!loaded.ok) return loaded;
  const unused = projectToml === null ? unusedRootFile(root) : [];
  const files = [...missingFiles(root, loaded), ...conflictWarnings(root, loaded.config)];
  return { ...loaded, warnings: [...loaded.warnings, ...files, ...unused] };
}

/** Returns warnings for configured files that don't exist, because they have no effect. */
function missingFiles(root: string, loaded: Extract<LoadedConfig, { ok: true }>): ConfigProblem[] {
  const { prompt, notes } = loaded.config.files;
  const isMissing = (path: string) => !existsSync(resolve(root, path));
  const named = (key: string, paths: readonly string[], instead: string): ConfigProblem[] => {
    const { layer, source, line } = loaded.provenance(key);
    if (layer === 'built-in') return [];
    const written = loaded.writtenAs(key);
    // The key of ralph-gold names one file, and also means the AGENTS.md beside it, which may be missing.
    const expected = written === 'files.agents' && paths.length > 1 ? paths.slice(1) : paths;
    return expected.filter(isMissing).map((path) => ({
      source,
      line,
      key,
      message: `[files] ${written.slice('files.'.length)} has no effect: there is no file ${path}${instead}`,
    }));
  };
  return [
    ...named('files.prompt', [prompt], '; the built-in template is used'),
    ...named('files.notes', notes, ''),
  ];
}

/**
 * Returns warnings for files with instructions that conflict with the prompt. The prompt overrides them, but agents
 * work best without contradictions.
 */
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

/** Returns one line for each problem: `.ralph/ralph.toml:3: …`. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map(({ source, line, message }) => {
      // The name of a flag is enough, without section and key.
      const text = source.startsWith('--') ? message.replace(/^\[\w+\] \w+: /, '') : message;
      return `${source}${line === null ? '' : `:${line}`}: ${text}`;
    })
    .join('\n');
}

/** Returns the step that leads on from problems of the configuration. */
export function correctionOf(root: string, problems: readonly ConfigProblem[]): string {
  const [{ source, line, key } = { source: '.ralph/ralph.toml', line: null, key: '' }] = problems;
  if (source.startsWith('--')) return 'ralph run --help';
  if (source.startsWith('RALPH_')) return `unset ${source}`;
  const path = resolve(root, source.replace(/^~(?=\/)/, process.env.HOME ?? '~'));
  const way = key === '' ? accessCommand(path, 'read') : null;
  return way ?? `Correct it in ${source}${line === null ? '' : `:${line}`}.`;
}

/** Returns one notice per warning, but a single one for all settings with older names, which still work. */
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

/**
 * Returns `$XDG_CONFIG_HOME/ralph/config.toml`. A relative folder in the variable is ignored (XDG Base Directory);
 * `null`: there is no home folder.
 */
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
    return unreadable(name, `: ${whyUnreadable(error)}`);
  }
}

function configFile(bytes: Buffer, name: string): FileRead {
  if (!isUtf8(bytes)) return unreadable(name, ': it is not valid UTF-8; save it in that encoding');
  return { ok: true, file: { name, text: bytes.toString('utf8').replace(/^\uFEFF/, '') } };
}

/** Returns whether the path is a link. A broken link means a file that you intended to have. */
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
