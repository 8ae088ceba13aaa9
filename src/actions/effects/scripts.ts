import { LONGEST_SCRIPT } from '../../lib/actions/review.ts';
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
import { moduleFiles, preloadedFiles } from './preloads.ts';
import { NO_SCRIPTS, recipeScripts, type Scripts } from './recipes/index.ts';
import { textsAt, type WrittenFiles } from './written-files.ts';

/** Words in front of the file: `deno run x.ts`. */
const RUN_WORDS = /^(?:run|x)$/;

export function writtenScripts(command: SimpleCommand, written: WrittenFiles): Scripts {
  const [program] = command.argv;
  const name = programName(program);
  const args = command.argv.slice(1);
  const recipes = recipeScripts(name, { command, args, written });
  if (recipes !== null) return recipes;
  const packages = installedFiles(name, args);
  if (packages.length > 0) return codesOf(packages, command, written, true);
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
  const sources = sourceFiles(name, args);
  if (sources.length > 0) return { ...NO_SCRIPTS, sources: codesOf(sources, command, written).codes };
  // `./x.py`: its first line gives it to another language.
  if (program?.kind !== 'exact' || !program.head.includes('/')) return NO_SCRIPTS;
  const { codes, others } = codesOf([program], command, written);
  const own = codes.filter((text) => text.startsWith('#!') && !/^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text));
  return { ...NO_SCRIPTS, codes: own, others };
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
    ...NO_SCRIPTS,
    codes: texts.filter((text) => text.length <= LONGEST_SCRIPT),
    others: long ? [{ kind: 'runs_script', by, shown: fieldText(named[0] ?? exactField('')) }] : [],
  };
}
