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
import { makeRecipes } from './make.ts';
import { askedScripts, namedScripts } from './package.ts';

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

/** What a program runs that finds its commands in a file: recipes of make, scripts of a package. */
export function recipeScripts(name: string, call: Call): Scripts | null {
  if (/^g?make$/.test(name)) return madeScripts(name, call);
  const asked = askedScripts(name, call.args);
  if (asked === null) return unreadRecipes(name, call);
  const texts = asked.length === 0 ? [] : textsAt(exactField('package.json'), call.command, call.written);
  const shells = texts.flatMap((text) => namedScripts(text, asked));
  // It runs programs in files, too.
  return shells.length === 0 && name === 'bun' ? null : { ...NO_SCRIPTS, shells };
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'].map(exactField);
const GIVEN = ['-f', '--file', '--makefile'];
const FOLDERS = ['-C', '--directory'];

function madeScripts(name: string, { command, args, written }: Call): Scripts {
  const { values, operands, flags } = splitArguments(args, [
    ...GIVEN,
    ...FOLDERS,
    ...['-j', '-o', '-W', '-I', '-l'],
  ]);
  if (flags.some((flag) => /^-(?:n|-just-print|-dry-run)/.test(flag))) return NO_SCRIPTS;
  const of = (options: readonly string[]) => options.flatMap((option) => values.get(option) ?? []);
  const [folder] = of(FOLDERS);
  const cwds =
    folder?.kind === 'exact'
      ? command.cwds.map((cwd) => placedPath(folder.head, cwd ?? '/', (same) => same, false))
      : command.cwds;
  const given = of(GIVEN);
  const names = given.length > 0 ? given : MAKEFILES;
  const read = (file: Field) => textsAt(file, { cwds }, written);
  const texts = [...given.flatMap(({ head }) => fedText(head, command)), ...names.flatMap(read)];
  const wanted = operands.map(fieldText).filter((word) => !word.includes('='));
  const lines = texts.flatMap((text) => makeRecipes(withIncluded(text, read), wanted));
  const others = fetched(name, [...given, ...names], { command: { ...command, cwds }, args, written });
  return { ...NO_SCRIPTS, shells: lines, others };
}

/** A file of commands that came from the network; what came with a whole folder isn't known to be one. */
function fetched(by: string, files: readonly Field[], { command, written }: Call): readonly Effect[] {
  const isFetched = files.some(({ head }) => {
    const texts = [
      ...fedText(head, command),
      ...command.cwds.flatMap(
        (cwd) => written.files.get(placedPath(head, cwd ?? '/', (same) => same, false)) ?? [],
      ),
    ];
    return texts.some((text) => text.includes(DOWNLOADED_MARK));
  });
  const shown = command.argv.map(fieldText).join(' ').slice(0, 120);
  return isFetched ? [{ kind: 'runs_text', by, shown, from: 'download' }] : [];
}

/** What a file holds that stands for the input, or for `<(…)`. */
function fedText(name: string, command: SimpleCommand): readonly string[] {
  const output = name === '/dev/fd/63' ? command.substituted : command.input.output;
  const isFed = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+)$/.test(name);
  return isFed && output.kind === 'text' ? [output.text] : [];
}

function withIncluded(text: string, read: (file: Field) => readonly string[]): string {
  const included = [...text.matchAll(/^[-s]?include\s+(\S+)/gm)];
  return [text, ...included.flatMap(([, path = '']) => read(exactField(path)))].join('\n');
}

/** Programs whose files of commands aren't read, with the names of these files; with a word, where there is one. */
const RUNNERS: readonly (readonly [programs: RegExp, files: string, word?: string])[] = [
  [/^just$/, 'justfile Justfile .justfile'],
  [/^(?:go-)?task$/, 'Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml Taskfile.dist.yml'],
  [/^(?:foreman|honcho|goreman|overmind|hivemind|heroku)$/, 'Procfile Procfile.dev'],
  [/^supervisor(?:d|ctl)$/, 'supervisord.conf'],
  [/^pm2(?:-runtime|-dev)?$/, 'ecosystem.config.js ecosystem.config.cjs ecosystem.json'],
  [/^(?:nodemon|forever|node-dev|ts-node-dev|tsnd)$/, 'nodemon.json'],
  [/^tox$/, 'tox.ini setup.cfg tox.toml pyproject.toml'],
  [/^(?:poe|pdm|rye|hatch|pixi)$/, 'pyproject.toml pixi.toml'],
  [/^mise$/, 'mise.toml .mise.toml'],
  [/^cargo$/, 'Makefile.toml', 'make'],
  [/^(?:lefthook|pre-commit)$/, 'lefthook.yml .lefthook.yml .pre-commit-config.yaml'],
  [/^(?:wireit|lint-staged)$/, 'package.json .lintstagedrc .lintstagedrc.json'],
  [/^composer$/, 'composer.json'],
  [/^deno$/, 'deno.json deno.jsonc package.json', 'task'],
];

const LOOKS = /^(?:-h|--(?:list|dry|dry-run|summary|help|version))$/;

/** Whether a runner only shows something, by its options in front of what it would run. */
function onlyLooks(name: string, words: readonly string[]): boolean {
  const operand = words.findIndex((word) => !word.startsWith('-'));
  const options = operand < 0 ? words : words.slice(0, operand);
  return options.some((word) => LOOKS.test(word) || (word === '-n' && /^(?:just|(?:go-)?task)$/.test(name)));
}

/** What such a program runs is unseen where its file was written lately; `null`: it runs nothing of the kind. */
function unreadRecipes(name: string, { command, args, written }: Call): Scripts | null {
  const [, files, word] = RUNNERS.find(([programs]) => programs.test(name)) ?? [];
  const words = args.map(fieldText);
  if (files === undefined || (word !== undefined && words[0] !== word)) return null;
  if (onlyLooks(name, words)) return NO_SCRIPTS;
  const own = files.split(' ').flatMap((file) => [file, `${written.place.root}/${file}`]);
  const named = [...args, ...own.map(exactField)];
  if (!named.some((file) => textsAt(file, command, written).length > 0)) return NO_SCRIPTS;
  const shown = [name, ...words].join(' ').slice(0, 120);
  const others: readonly Effect[] = fetched(name, named, { command, args, written });
  return { ...NO_SCRIPTS, others: [...others, { kind: 'runs_script', by: name, shown }] };
}
