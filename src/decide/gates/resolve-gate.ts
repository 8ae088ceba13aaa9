import { BARE_PROGRAMS } from 'ralph-actions/effects';
import { newBudget, readScript } from 'ralph-actions/shell';
import { CHECKERS, PROJECTS } from 'ralph-ecosystems';
import { nameOf, parentOf, placedPath } from 'ralph-kit/paths';
import type { GateSource } from '../../domain/gate.ts';
import type { GateFiles, SeenFile } from '../../domain/ports.ts';
import { calledBin, calledScripts, scriptsIn } from './package-scripts.ts';
import { isPhony, READS_SCRIPTS, vacuousRecipe, vacuousScript } from './vacuous.ts';

const DEEPEST = 4;
const MOST_SOURCES = 60;

/** Commands that are built into the shell, so an attempt can't replace them. */
const BUILT_IN = new Set(
  '. : [ alias bg break cd command continue declare echo eval exec exit export false fg getopts hash jobs local printf pwd read readonly return set shift source test times trap true type ulimit umask unset wait'.split(
    ' ',
  ),
);
/** Programs that only read the files in their arguments, and don't run them. */
const READS =
  /^(?:\[|awk|biome|black|cat|cmp|diff|[ef]?grep|eslint|file|flake8|git|gofmt|head|jq|ls|mypy|prettier|pylint|rg|ruff|rustfmt|sed|shellcheck|stat|stylelint|tail|test|tsc|wc)$/;
const INTERPRETER = /^(?:\.|source|(?:ba|da|z|k)?sh|node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php)$/;
const RUNNABLE = /\.(?:sh|bash|[cm]?[jt]s|py|rb|pl|php)$/;
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const JUSTFILES = ['justfile', 'Justfile', '.justfile'];

/** Without its settings, a program still checks; only those by which it checks nothing count as direct. */
const settingOf = (vacuous: string | null) => ({ direct: vacuous !== null });

/** If such a file is made later, it is run instead, so it counts as direct. */
const SHADOWS = { direct: true };

type Walk = {
  readonly files: GateFiles;
  readonly root: string;
  readonly found: Map<string, GateSource>;
};
type Place = {
  readonly cwd: string;
  readonly depth: number;
  readonly inPackage: boolean;
  /** Whether the command's exit code decides; false: another command reads its output. */
  readonly decides: boolean;
};

/**
 * Matches a pipe or a substitution. The output of a script is checked then, so the script may be right even if it only
 * prints.
 */
const READS_OUTPUT = /(?<!\|)\|(?!\|)|\$\(|`/;

/**
 * Returns the sources of a gate, as far as the words of its command show them: programs, scripts of the repository and
 * scripts that these run, entries of package.json, makefile rules, and programs of `node_modules/.bin`.
 */
export function resolveGate(run: string, root: string, files: GateFiles): GateSource[] {
  const walk: Walk = { files, root, found: new Map() };
  followText(walk, run, { cwd: root, depth: 0, inPackage: false, decides: true });
  return [...walk.found.values()];
}

function followText(walk: Walk, text: string, place: Place): void {
  if (place.depth > DEEPEST) return;
  const decides = place.decides && !READS_OUTPUT.test(text);
  for (const { words, cwd } of scriptCalls(text, place.cwd, walk.root)) {
    followCommand(walk, words, { ...place, decides, cwd: cwd ?? place.cwd });
  }
}

function followCommand(walk: Walk, [program = '', ...words]: readonly string[], place: Place): void {
  if (program === '') return;
  const name = nameOf(program);
  if (program.includes('/')) followFile(walk, program, place, '');
  else if (!BUILT_IN.has(program)) followProgram(walk, program, place);
  if (READS.test(name)) return;
  for (const word of words) if (!word.startsWith('-') && word !== '') followFile(walk, word, place, name);
  followBuild(walk, name, words, place);
  const module = /^python[\d.]*$/.test(name) ? optionValue(words, ['-m']) : null;
  if (module !== null) followModule(walk, module, place);
  followSettings(walk, module ?? name, place);
  const bin = calledBin(name, words);
  if (bin !== null) followProgram(walk, bin, { ...place, inPackage: true });
  const called = calledScripts(name, words);
  if (called !== null) followScripts(walk, called, place);
}

function placed(path: string, cwd: string): string {
  return placedPath(path, cwd, (same) => same, false);
}

function shown({ root }: Walk, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function add(
  walk: Walk,
  name: string,
  { depth }: Place,
  { path, hash, executable }: SeenFile,
  vacuous: string | null,
  more: Partial<GateSource> = {},
): boolean {
  if (walk.found.has(name) || walk.found.size >= MOST_SOURCES) return false;
  const content = executable ? hash : `${hash} (not executable)`;
  walk.found.set(name, {
    name,
    path: shown(walk, path),
    content,
    version: null,
    hollow: vacuous,
    direct: depth === 0,
    ...more,
  });
  return true;
}

/**
 * Follows a word that may be the name of a file that is run.
 * @param by Program that gets the file; '': the file itself is run.
 */
function followFile(walk: Walk, word: string, place: Place, by: string): void {
  const at = placed(word, place.cwd);
  const file = walk.files.see(at);
  if (file === null || !at.startsWith(`${walk.root}/`)) {
    if (file !== null && by === '') add(walk, word, place, file, null);
    return;
  }
  const runs =
    by === '' || file.executable || file.text.startsWith('#!') || RUNNABLE.test(at) || INTERPRETER.test(by);
  if (!runs) return;
  const vacuous = place.decides ? vacuousScript(at, file.text, by) : null;
  if (!add(walk, word, place, file, vacuous)) return;
  if (isShell(file, at, by)) followText(walk, file.text, { ...place, depth: place.depth + 1 });
}

function isShell({ text }: SeenFile, path: string, by: string): boolean {
  return text.startsWith('#!') && !READS_SCRIPTS.test(by)
    ? /^#!.*sh\b/.test(text)
    : /\.(?:ba)?sh$/.test(path) || /sh$|^\.$|^source$/.test(by);
}

/** Follows the name of a program. Within a package, programs of `node_modules/.bin` come first. */
function followProgram(walk: Walk, name: string, place: Place): void {
  const runner = place.inPackage ? runnerOf(walk, name, place.cwd) : null;
  const path = runner?.path ?? walk.files.program(name);
  const file = runner?.file ?? (path === null ? null : walk.files.see(path));
  if (file === null) return;
  const inside = file.path.startsWith(`${walk.root}/`);
  const isJudged = place.decides && (inside || file.text.startsWith('#!'));
  const vacuous = isJudged ? vacuousScript(file.path, file.text, '') : null;
  add(walk, name, place, file, vacuous, { version: versionOf(walk, file) });
}

function runnerOf(walk: Walk, name: string, cwd: string): { path: string; file: SeenFile } | null {
  for (let folder = cwd; folder.startsWith(walk.root); folder = parentOf(folder)) {
    const path = `${folder}/node_modules/.bin/${name}`;
    const file = walk.files.see(path);
    if (file !== null) return { path, file };
    if (folder === walk.root) break;
  }
  return null;
}

/** Returns the version of the package for a file in `node_modules/PACKAGE/`; `null` for other files. */
function versionOf(walk: Walk, { path }: SeenFile): string | null {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/@]+(?=\/)/.exec(path)?.[0];
  const manifest = folder === undefined ? null : walk.files.see(`${folder}/package.json`);
  return /"version"\s*:\s*"([^"]+)"/.exec(manifest?.text ?? '')?.[1] ?? null;
}

function followBuild(walk: Walk, name: string, words: readonly string[], place: Place): void {
  const isMake = /^g?make$/.test(name);
  if (!isMake && name !== 'just') return;
  const named = optionValue(words, ['-f', '--file', '--makefile', '--justfile']);
  const folder = placed(optionValue(words, ['-C', '--directory', '-d']) ?? '.', place.cwd);
  const candidates = named === null ? (isMake ? MAKEFILES : JUSTFILES) : [named];
  const at = candidates.map((one) => placed(one, folder)).find((one) => walk.files.see(one) !== null);
  const file = at === undefined ? null : walk.files.see(at);
  if (file === null) return;
  const targets = words.filter(
    (word, index) => /^[\w.][^=]*$/.test(word) && !/^-[fCdIj]$|^--\w/.test(words[index - 1] ?? ''),
  );
  add(walk, `${name} ${targets.join(' ')}`.trim(), place, file, vacuousRecipe(file.text, targets));
  for (const target of isMake ? targets : []) {
    const result = walk.files.see(placed(target, folder));
    if (result === null || isPhony(file.text, target)) continue;
    add(
      walk,
      `result of ${target}`,
      place,
      result,
      'is where make looks for the result of the rule',
      SHADOWS,
    );
  }
}

function followModule(walk: Walk, module: string, place: Place): void {
  const path = module.replaceAll('.', '/');
  for (const one of [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]) {
    const file = walk.files.see(placed(one, place.cwd));
    if (file === null) continue;
    const vacuous = CHECKERS.includes(module)
      ? `stands before the module ${module}`
      : vacuousScript(file.path, file.text, 'python');
    add(walk, `python -m ${module}`, place, file, vacuous, SHADOWS);
  }
}

function followSettings(walk: Walk, runner: string, place: Place): void {
  for (const { programs, files, part, vacuous, why } of PROJECTS.flatMap(({ settings = [] }) => settings)) {
    if (!programs.test(runner)) continue;
    for (const one of files) {
      const file = walk.files.see(placed(one, place.cwd));
      const content = part === null ? file?.text : part.exec(file?.text ?? '')?.[0];
      if (file === null || content === undefined) continue;
      const reason = vacuous.test(content) ? why : null;
      add(walk, `${runner} by ${one}`, place, file, reason, {
        ...(part === null ? {} : { content }),
        ...settingOf(reason),
      });
    }
  }
}

function optionValue(words: readonly string[], options: readonly string[]): string | null {
  const at = words.findIndex((word) => options.includes(word));
  return at < 0 ? null : (words[at + 1] ?? null);
}

function followScripts(
  walk: Walk,
  { names, folder }: { names: readonly string[]; folder: string | null },
  place: Place,
): void {
  const dir = placed(folder ?? '.', place.cwd);
  const manifest = walk.files.see(`${dir}/package.json`);
  if (manifest === null) return;
  const settings = walk.files.see(`${dir}/.npmrc`);
  if (settings !== null) {
    const shell = /^\s*script-shell\s*=\s*(\S+)/m.exec(settings.text)?.[1];
    const vacuous = shell === undefined ? null : `has scripts run by ${shell}`;
    add(walk, '.npmrc', place, settings, vacuous, settingOf(vacuous));
  }
  for (const { name, entry, vacuous } of scriptsIn(manifest.text, names)) {
    const direct = place.depth === 0 && name === names[1];
    if (!add(walk, `scripts.${name}`, place, manifest, vacuous, { content: entry, direct })) continue;
    followText(walk, entry, { ...place, cwd: dir, depth: place.depth + 1, inPackage: true });
  }
}

/** Programs that run commands of the repository, whatever their arguments are. */
const BUILDERS =
  /^(?:ant|bazel(?:isk)?|bundle|bun|cargo|cmake|composer|deno|direnv|dotnet|earthly|go|gradle|hatch|just|lerna|g?make|mise|mix|mvn|ninja|nox|npm|npx|nx|pdm|pipenv|pnpm|poetry|rake|sbt|swift|task|tox|turbo|uv|yarn|zig)$/;

/**
 * Returns whether a command line runs code of the repository: a script, an entry of a script list, or a program in a
 * folder of the PATH.
 */
export function runsRepository(command: string, root: string, files: GateFiles): boolean {
  return resolveGate(command, root, files).some(
    ({ name, path }) => !path.startsWith('/') || BUILDERS.test(name),
  );
}

/** A command of a script. `cwd`: the folder that it runs in; `null`: unknown. */
export type ScriptCall = { readonly words: readonly string[]; readonly cwd: string | null };

/** Maximum number of readings that are kept. Gates are resolved twice per iteration and rarely change. */
const MOST_READINGS = 64;
const readings = new Map<string, readonly ScriptCall[]>();

/** Returns the commands in a shell script. Equal texts are read only once. */
export function scriptCalls(text: string, cwd: string, root: string): readonly ScriptCall[] {
  const key = JSON.stringify([text, cwd, root]);
  const known = readings.get(key);
  if (known !== undefined) return known;
  const start = { cwd, home: null, root, tmpdir: '/tmp' };
  const calls = readScript(text, start, newBudget(), BARE_PROGRAMS).commands.map(({ argv, cwds }) => ({
    // Words whose text isn't known before the script runs don't count as file names.
    words: argv.map(({ kind, head }) => (kind === 'exact' ? head : '')),
    cwd: cwds.find((one) => one !== null) ?? null,
  }));
  const [oldest] = readings.size < MOST_READINGS ? [] : readings.keys();
  if (oldest !== undefined) readings.delete(oldest);
  readings.set(key, calls);
  return calls;
}
