import { LONGEST_SCRIPT } from '../domain/review.ts';
import { packageScripts } from '../lib/formats/package-scripts.ts';
import { placedPath } from '../lib/paths.ts';
import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  programName,
  type SimpleCommand,
  splitArguments,
} from '../shell/index.ts';
import { programNamed } from './catalogue/index.ts';
import { shellText } from './code/powershell.ts';
import type { Effect } from './effect.ts';
import { moduleFiles, preloadedFiles } from './preloads.ts';
import { textsAt, type WrittenFiles } from './written-files.ts';

/** Texts that a command runs from files which were written lately. */
export type Scripts = {
  /** In other languages than the shell's. */
  readonly codes: readonly string[];
  /** Command lines: recipes of make, scripts of a package. */
  readonly shells: readonly string[];
  readonly others: readonly Effect[];
  /** Programs that are compiled first, or do their work for tests and builds: much in them is data. */
  readonly sources: readonly string[];
};

const NOTHING: Scripts = { codes: [], shells: [], others: [], sources: [] };
/** Words in front of the file: `deno run x.ts`. */
const RUN_WORDS = /^(?:run|x)$/;

export function writtenScripts(command: SimpleCommand, written: WrittenFiles): Scripts {
  const [program] = command.argv;
  const name = programName(program);
  const args = command.argv.slice(1);
  if (/^g?make$/.test(name)) return recipes(command, args, written);
  const packages = installedFiles(name, args);
  if (packages.length > 0) return codesOf(packages, command, written, true);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name))
    return { ...NOTHING, shells: calledScripts(command, args, written) };
  if (/^[gmn]?awk$/.test(name)) {
    const { values } = splitArguments(args, ['-F', '-v', '-f', '--file']);
    return codesOf([...(values.get('-f') ?? []), ...(values.get('--file') ?? [])], command, written);
  }
  const known = programNamed(name);
  const { input } = command;
  const fed = input.output.kind === 'files' ? input.output.fields : [];
  if (known?.code !== undefined) {
    const { operands, values } = splitArguments(args, known.options, true);
    const given = known.code.some((option) => values.has(option));
    const words =
      operands.length > 1 && RUN_WORDS.test(fieldText(operands[0] ?? exactField('')))
        ? splitArguments(operands.slice(1), known.options, true).operands
        : operands;
    const named = given ? [] : words.slice(0, 1);
    const read = named.length === 0 && !given ? fed : named;
    const folders = command.environment.flatMap(([name, values]) =>
      name === 'PYTHONPATH' ? values.map(fieldText) : [],
    );
    const modules = ['.', ...folders].flatMap((folder) => moduleFiles(command.argv, folder));
    return codesOf([...preloadedFiles(command), ...modules, ...read], command, written);
  }
  const read = /^(?:pwsh|powershell)$/.test(name) ? args : command.argv.slice(0, 1);
  const powershell = read
    .filter(({ head }) => /\.ps1$/i.test(head))
    .flatMap((file) => textsAt(file, command, written));
  if (powershell.length > 0) return { ...NOTHING, shells: powershell.map(shellText) };
  const sources = sourceFiles(name, args);
  if (sources.length > 0) return { ...NOTHING, sources: codesOf(sources, command, written).codes };
  // `./x.py`: its first line gives it to another language.
  if (program?.kind !== 'exact' || !program.head.includes('/')) return NOTHING;
  const { codes, others } = codesOf([program], command, written);
  const own = codes.filter((text) => text.startsWith('#!') && !/^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text));
  return { ...NOTHING, codes: own, others };
}

/** Programs for what they find in the files that are called so. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  nox: ['noxfile.py'],
  invoke: ['tasks.py'],
  fab: ['fabfile.py'],
  scons: ['SConstruct'],
  ...{
    pip: ['setup.py'],
    pip3: ['setup.py'],
    pytest: ['conftest.py', 'tests/conftest.py', 'test/conftest.py'],
  },
  ...{ gradle: ['build.gradle', 'build.gradle.kts'], gradlew: ['build.gradle', 'build.gradle.kts'] },
  ...{ gulp: ['gulpfile.js', 'gulpfile.mjs'], grunt: ['Gruntfile.js'], mix: ['mix.exs'] },
};
const COMPILERS =
  /^(?:go|gcc|cc|clang|tcc|g\+\+|c\+\+|clang\+\+|rustc|rust-script|java|javac|kotlinc?|dart|zig|nim|swiftc|crystal|dotnet-script|csc|ghc|runghc|ocamlfind|escript)$/;

/** Texts in other languages that a program compiles, or finds by their names; tests hold such words as data. */
function sourceFiles(name: string, args: readonly Field[]): readonly Field[] {
  const named = COMPILERS.test(name) ? args.filter(({ head }) => /^[^-].*\.\w{1,5}$/.test(head)) : [];
  return [...named, ...(FOUND[name] ?? []).map(exactField)];
}

const DOWNLOADED = (by: string, shown: string): Effect => ({
  kind: 'runs_text',
  by,
  shown,
  from: 'download',
});

/** Programs and packages that a command runs, or installs as root, from a file: no texts. */
function installedFiles(name: string, args: readonly Field[]): readonly Field[] {
  if (name === 'java') {
    const at = args.findIndex(({ head }) => head === '-jar');
    return at < 0 ? [] : args.slice(at + 1, at + 2);
  }
  const installs = /^(?:dpkg|rpm|installer|apt|apt-get|dnf|yum|snap|apk|pkg)$/.test(name);
  return installs ? args.filter(({ head }) => /\.(?:deb|rpm|pkg|snap|apk|txz)$/.test(head)) : [];
}

/** `binary`: of which only is judged where they come from. */
function codesOf(
  named: readonly Field[],
  command: SimpleCommand,
  written: WrittenFiles,
  binary = false,
): Scripts {
  const found = named.flatMap((file) => textsAt(file, command, written));
  const texts = binary ? found.filter((text) => text.includes(DOWNLOADED_MARK)) : found;
  const long = texts.some((text) => text.length > LONGEST_SCRIPT);
  const by = programName(command.argv[0]);
  return {
    ...NOTHING,
    codes: texts.filter((text) => text.length <= LONGEST_SCRIPT),
    others: long ? [{ kind: 'runs_script', by, shown: fieldText(named[0] ?? exactField('')) }] : [],
  };
}

const MAKE_VALUED = ['-C', '--directory', '-f', '--file', '--makefile', '-j', '-o', '-W', '-I', '-l'];

/** The command lines that make runs for its targets, and for what these need. */
function recipes(command: SimpleCommand, args: readonly Field[], written: WrittenFiles): Scripts {
  const { values, operands, flags } = splitArguments(args, MAKE_VALUED);
  if (flags.some((flag) => /^-(?:n|-just-print|-dry-run)/.test(flag))) return NOTHING;
  const folder = (values.get('-C') ?? values.get('--directory'))?.[0];
  const cwds =
    folder?.kind === 'exact'
      ? command.cwds.map((cwd) => placedPath(folder.head, cwd ?? '/', (same) => same, false))
      : command.cwds;
  const given = [
    ...(values.get('-f') ?? []),
    ...(values.get('--file') ?? []),
    ...(values.get('--makefile') ?? []),
  ];
  const fed = given.flatMap(({ head }) => {
    const output = head === '/dev/fd/63' ? command.substituted : command.input.output;
    const isFed = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+)$/.test(head);
    return isFed && output.kind === 'text' ? [output.text] : [];
  });
  const names = given.length > 0 ? given : ['GNUmakefile', 'makefile', 'Makefile'].map(exactField);
  const texts = [...fed, ...names.flatMap((name) => textsAt(name, { cwds }, written))];
  const targets = operands.map(fieldText).filter((word) => !word.includes('='));
  // What came with a downloaded folder isn't known to be a recipe.
  const own = names.flatMap(({ head }) =>
    cwds.flatMap((cwd) => written.files.get(placedPath(head, cwd ?? '/', (same) => same, false)) ?? []),
  );
  const isDownloaded = [...fed, ...own].some((text) => text.includes(DOWNLOADED_MARK));
  return {
    ...NOTHING,
    shells: texts.flatMap((text) => recipesOf(text, targets)),
    others: isDownloaded ? [DOWNLOADED('make', targets.join(' '))] : [],
  };
}

type Target = { readonly needs: readonly string[]; readonly lines: string[] };

function recipesOf(text: string, wanted: readonly string[]): readonly string[] {
  const targets = new Map<string, Target>();
  const variables = new Map<string, string>();
  let current: Target | null = null;
  let first: string | null = null;
  const joined = text.replace(/\\\n[ \t]*/g, ' ');
  for (const line of joined.split('\n')) {
    const [, name, value] = /^([\w.-]+)\s*[:?+]?:?=\s*(.*)$/.exec(line) ?? [];
    const [, heads, rest] =
      /^([^\t#=:][^=:]*):(?!=)([^=]*)$/.exec(line.includes(';') ? line.slice(0, line.indexOf(';')) : line) ??
      [];
    if (line.startsWith('\t')) current?.lines.push(line.slice(1));
    else if (name !== undefined && value !== undefined) variables.set(name, value);
    else if (heads !== undefined) {
      current = { needs: (rest ?? '').trim().split(/\s+/), lines: [] };
      if (line.includes(';')) current.lines.push(line.slice(line.indexOf(';') + 1));
      for (const head of heads.trim().split(/\s+/)) {
        if (!head.startsWith('.')) first ??= head;
        targets.set(head, current);
      }
    }
  }
  const start = wanted.length > 0 ? wanted : first === null ? [] : [first];
  // Calls of the shell in values run whatever is made.
  const shells = [...joined.matchAll(/\$\(shell ([^)]*)\)/g)].map(([, line]) => line ?? '');
  return [...shells, ...needed(start, targets).flatMap(({ lines }) => lines)].map((line) =>
    asShell(line, variables),
  );
}

function needed(start: readonly string[], targets: ReadonlyMap<string, Target>): readonly Target[] {
  const found = new Set<Target>();
  const open = [...start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const target = targets.get(name);
    if (target === undefined || found.has(target)) continue;
    found.add(target);
    open.push(...target.needs);
  }
  return [...found];
}

/** A line of a recipe as the shell gets it. */
function asShell(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line.replace(/^[@+-]+/, '');
  for (let round = 0; round < 3 && text.length < LONGEST_SCRIPT; round += 1) {
    text = text.replace(/(?<!\$)\$[({](\w+)[)}]/g, (whole, name: string) =>
      /^MAKE$/.test(name) ? 'make' : (variables.get(name) ?? `$\uE006{${name}}`) || whole,
    );
  }
  return text.replaceAll('\uE006', '').replaceAll('$$', '$');
}

/** The script of a package that a package manager runs, and those around it. */
function calledScripts(
  command: SimpleCommand,
  args: readonly Field[],
  written: WrittenFiles,
): readonly string[] {
  const { operands } = splitArguments(args, [
    '-C',
    '--dir',
    '--prefix',
    '-w',
    '--workspace',
    '-F',
    '--filter',
  ]);
  const [verb = '', name = ''] = operands.map(fieldText);
  const script = /^(?:run|run-script)$/.test(verb) ? name : /^(?:t|tst)$/.test(verb) ? 'test' : verb;
  if (script === '') return [];
  return textsAt(exactField('package.json'), command, written).flatMap((text) => {
    const scripts = packageScripts(text);
    const hooks = /^(?:i|install|ci|add)$/.test(script)
      ? ['preinstall', 'install', 'postinstall', 'prepare']
      : [];
    const names = [`pre${script}`, script, `post${script}`, ...hooks];
    return names.flatMap((each) => {
      const line = scripts.get(each);
      return line === undefined ? [] : [line];
    });
  });
}
