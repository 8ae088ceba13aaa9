import { placedPath } from '../../../lib/paths.ts';
import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  type SimpleCommand,
  splitArguments,
} from '../../shell/index.ts';
import type { Effect } from '../effect.ts';
import { textsAt, type WrittenFiles } from '../written-files.ts';
import { justRecipes } from './just.ts';
import { makeRecipes } from './make.ts';
import { manifestOf, namedScripts } from './package.ts';
import { LISTINGS, type Listing } from './processes.ts';
import { type ReadFile, taskRecipes } from './taskfile.ts';

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

export const NO_SCRIPTS: Scripts = { codes: [], shells: [], others: [], sources: [] };

type Call = {
  readonly command: SimpleCommand;
  readonly args: readonly Field[];
  readonly written: WrittenFiles;
};

/** What a program runs that finds its commands in a file: recipes, scripts of a package, lists of processes. */
export function recipeScripts(name: string, call: Call): Scripts | null {
  const book = BOOKS.find(({ programs }) => programs.test(name));
  if (book !== undefined) return fromBook(name, book, call);
  const { command, args, written } = call;
  const manifest = manifestOf(name);
  if (manifest !== undefined) {
    const asked = manifest.asked(args);
    const texts =
      asked.length === 0 ? [] : manifest.files.flatMap((file) => textsAt(exactField(file), command, written));
    const shells = texts.flatMap((text) => namedScripts(text, asked));
    // Some run programs in files, too.
    return shells.length === 0 && /^(?:bun|deno)$/.test(name) ? null : { ...NO_SCRIPTS, shells };
  }
  const listing = LISTINGS.find(({ programs }) => programs.test(name));
  return listing === undefined ? null : fromListing(listing, call);
}

/** A file with targets that are asked for by their names. */
type Book = {
  readonly programs: RegExp;
  readonly files: readonly string[];
  /** Options that name the file, and the folder that it lies in. */
  readonly given: readonly string[];
  readonly folders: readonly string[];
  readonly valued: readonly string[];
  /** Options with which nothing is run. */
  readonly looks: RegExp;
  /** It is looked for in the folders above, too. */
  readonly above?: true;
  /** Words behind `--` are no targets. */
  readonly passes?: true;
  /** Lines that take another file in, with its path in the first group. */
  readonly takesIn?: RegExp;
  readonly lines: (text: string, asked: Asked) => readonly string[];
};

type Asked = {
  readonly wanted: readonly string[];
  /** What is passed on to the commands. */
  readonly rest: string;
  readonly read: ReadFile;
};

const BOOKS: readonly Book[] = [
  {
    programs: /^g?make$/,
    files: ['GNUmakefile', 'makefile', 'Makefile'],
    given: ['-f', '--file', '--makefile'],
    folders: ['-C', '--directory'],
    valued: ['-j', '-o', '-W', '-I', '-l'],
    looks: /^-(?:n|-just-print|-dry-run)/,
    takesIn: /^[-s]?include\s+(\S+)/gm,
    lines: (text, { wanted }) => makeRecipes(text, wanted),
  },
  {
    programs: /^just$/,
    files: ['justfile', 'Justfile', '.justfile'],
    given: ['-f', '--justfile'],
    folders: ['-d', '--working-directory'],
    valued: ['--set', '--shell', '--shell-arg', '--color', '--dotenv-path', '-c', '--command'],
    looks:
      /^-(?:n|l|s|-dry-run|-list|-summary|-show|-evaluate|-variables|-dump|-fmt|-choose|-edit|-groups|-usage)/,
    above: true,
    takesIn: /^(?:import|mod)\??\s+(?:[\w-]+\s+)?["']([^"'\n]+)["']/gm,
    lines: (text, { wanted }) =>
      justRecipes(
        text,
        wanted.flatMap((word) => word.split('::').slice(-1)),
      ),
  },
  {
    programs: /^(?:go-)?task$/,
    files: ['Taskfile', 'taskfile', 'Taskfile.dist'].flatMap((name) => [`${name}.yml`, `${name}.yaml`]),
    given: ['-t', '--taskfile'],
    folders: ['-d', '--dir'],
    valued: ['-o', '--output', '-C', '--concurrency', '-I', '--interval'],
    looks: /^-(?:n|l|a|i|-dry|-list(?:-all)?|-status|-summary|-init)/,
    above: true,
    passes: true,
    lines: taskRecipes,
  },
];

function fromBook(name: string, book: Book, { command, args, written }: Call): Scripts {
  const end = book.passes ? args.findIndex((arg) => arg.head === '--') : -1;
  const { values, operands, flags } = splitArguments(end < 0 ? args : args.slice(0, end), [
    ...book.given,
    ...book.folders,
    ...book.valued,
  ]);
  if (flags.some((flag) => book.looks.test(flag))) return NO_SCRIPTS;
  const of = (options: readonly string[]) => options.flatMap((option) => values.get(option) ?? []);
  const [folder] = of(book.folders);
  const cwds =
    folder?.kind === 'exact'
      ? command.cwds.map((cwd) => placedPath(folder.head, cwd ?? '/', (same) => same, false))
      : command.cwds;
  const given = of(book.given);
  const fed = given.flatMap(({ head }) => fedText(head, command));
  const names = given.length > 0 ? given : book.files.map(exactField);
  const read: ReadFile = (path) => textsAt(exactField(path), { cwds }, written);
  const own = foundTexts(names, cwds, book.above === true && given.length === 0, written);
  const texts = [...fed, ...own].map((text) => withOthers(text, book.takesIn, read));
  const wanted = operands.map(fieldText).filter((word) => !word.includes('='));
  const rest =
    end < 0
      ? ''
      : args
          .slice(end + 1)
          .map(fieldText)
          .join(' ');
  const isLong = book.above === true && texts.some((text) => text.length > LONGEST_FILE);
  const lines = isLong ? [] : texts.flatMap((text) => book.lines(text, { wanted, rest, read }));
  // What came with a downloaded folder isn't known to be a recipe.
  const kept = names.flatMap(({ head }) =>
    cwds.flatMap((cwd) => written.files.get(placedPath(head, cwd ?? '/', (same) => same, false)) ?? []),
  );
  const isDownloaded = [...fed, ...kept].some((text) => text.includes(DOWNLOADED_MARK));
  return {
    ...NO_SCRIPTS,
    codes: lines.filter(isOtherCode),
    shells: lines.filter((line) => !isOtherCode(line)),
    others: [
      ...(isDownloaded
        ? [{ kind: 'runs_text' as const, by: name, shown: wanted.join(' '), from: 'download' as const }]
        : []),
      ...(isLong ? [tooLong(command)] : []),
    ],
  };
}

/** Longer files of recipes are written by programs, but for makefiles; in characters. */
const LONGEST_FILE = 32_768;

function tooLong({ argv }: SimpleCommand): Effect {
  return { kind: 'unfollowed', why: 'too_long', text: argv.map(fieldText).join(' ') };
}

/** What a file holds that stands for the input, or for `<(…)`. */
function fedText(name: string, command: SimpleCommand): readonly string[] {
  const output = name === '/dev/fd/63' ? command.substituted : command.input.output;
  const isFed = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+)$/.test(name);
  return isFed && output.kind === 'text' ? [output.text] : [];
}

/** The file nearest to where the program runs. */
function foundTexts(
  names: readonly Field[],
  cwds: SimpleCommand['cwds'],
  above: boolean,
  written: WrittenFiles,
): readonly string[] {
  const folders = above ? ['', '../', '../../'] : [''];
  for (const folder of folders) {
    const texts = names.flatMap((file) => textsAt({ ...file, head: folder + file.head }, { cwds }, written));
    if (texts.length > 0) return texts;
  }
  return [];
}

function withOthers(text: string, takesIn: RegExp | undefined, read: ReadFile): string {
  if (takesIn === undefined) return text;
  const others = [...text.matchAll(takesIn)].flatMap(([, path]) => (path === undefined ? [] : read(path)));
  return [text, ...others].join('\n');
}

/** A recipe that its first line gives to another language. */
function isOtherCode(line: string): boolean {
  return /^#!/.test(line) && !/^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(line);
}

function fromListing({ verbs, files, given, read }: Listing, { command, args, written }: Call): Scripts {
  const { values, operands } = splitArguments(args, given);
  const [verb = '', named] = operands.map(fieldText);
  if (verbs?.test(verb) === false) return NO_SCRIPTS;
  const listed = given.flatMap((option) => values.get(option) ?? []);
  const own = named !== undefined && /\.(?:config\.\w+|json|ya?ml)$/.test(named) ? [exactField(named)] : [];
  const names = listed.length > 0 ? listed : own.length > 0 ? own : files.map(exactField);
  const texts = names.flatMap((file) => textsAt(file, command, written));
  const long = texts.some((text) => text.length > LONGEST_FILE);
  return long
    ? { ...NO_SCRIPTS, others: [tooLong(command)] }
    : { ...NO_SCRIPTS, shells: texts.flatMap(read) };
}
