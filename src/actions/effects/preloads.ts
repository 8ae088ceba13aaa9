import { isAtOrBelow, isTemporary, placedPath } from '../../lib/paths.ts';
import {
  exactField,
  type Field,
  fieldText,
  programName,
  type SimpleCommand,
  shownField,
  splitArguments,
} from '../shell/index.ts';
import type { Effect } from './effect.ts';
import { LIBRARIES } from './environment.ts';
import { textsAt, type WrittenFiles } from './written-files.ts';

const LOADERS: readonly (readonly [programs: RegExp, options: readonly string[]])[] = [
  [
    /^(?:node|nodejs|ts-node|tsx|bun|electron|nyc|c8)$/,
    ['-r', '--require', '--import', '--loader', '--experimental-loader', '--preload'],
  ],
  [/^openssl$/, ['-engine', '-provider-path']],
  [/^_?mocha$/, ['-r', '--require', '--import', '--file']],
  [/^(?:ruby|irb|rspec|jruby)[\d.]*$/, ['-r', '--require']],
];

/** Files of code that a program loads in front of what it was told to run. */
export function preloadedFiles({ argv }: Pick<SimpleCommand, 'argv'>): readonly Field[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  const loads = LOADERS.find(([programs]) => programs.test(name));
  if (loads !== undefined) {
    const { values } = splitArguments(args, [...loads[1], '-e', '-p', '-I', '-C']);
    return loads[1].flatMap((option) => values.get(option) ?? []).filter(isPath);
  }
  switch (name) {
    case 'perl':
      return perlModules(args);
    case 'php':
    case 'java':
      return args.flatMap(({ head, ...rest }) => {
        const [option] =
          /^(?:-d\s*)?auto_(?:pre|ap)pend_file=|^-(?:javaagent|agentpath|Xbootclasspath\/[ap]):/.exec(head) ??
          [];
        return option === undefined
          ? []
          : [{ ...rest, head: head.slice(option.length).replace(/(?<=\.jar|\.so)[=:].*$/, '') }];
      });
    default:
      return [];
  }
}

/** The module that an interpreter is told to run, where it is looked for first: in temporary files anyone may have put one. */
function libraryFiles({ argv, environment }: SimpleCommand): readonly Field[] {
  const folders = environment.flatMap(([name, values]) =>
    LIBRARIES.test(name) ? values.flatMap((value) => fieldText(value).split(':')) : [],
  );
  const named = folders.filter((folder) => isTemporary(`${folder}/x`));
  return named.flatMap((folder) => (argv.length === 0 ? [] : moduleFiles(argv, folder)));
}

/** Where `python -m NAME` finds the module in a folder. */
export function moduleFiles(argv: readonly Field[], folder: string): readonly Field[] {
  const at = argv.findIndex(({ head }) => head === '-m');
  const name = at < 0 ? '' : fieldText(argv[at + 1] ?? exactField('')).replaceAll('.', '/');
  if (!/^(?:python|pypy)[\d.]*$/.test(programName(argv[0])) || name === '') return [];
  return [`${folder}/${name}.py`, `${folder}/${name}/__main__.py`].map(exactField);
}

/** A package is found by its name; where it lies was decided when it was installed. */
function isPath({ head }: Field): boolean {
  return /^(?:\.{0,2}\/|~|data:|https?:|file:)/.test(head);
}

/** `perl -I FOLDER -M Module`: the module that it finds there first. */
function perlModules(args: readonly Field[]): readonly Field[] {
  const { values } = splitArguments(args, ['-I', '-M', '-m', '-e', '-E']);
  const modules = [...(values.get('-M') ?? []), ...(values.get('-m') ?? [])];
  const paths = modules.map((each) =>
    fieldText(each)
      .replace(/[=\s].*$/s, '')
      .replaceAll('::', '/'),
  );
  return (values.get('-I') ?? []).flatMap((folder) =>
    paths.map((path) => ({ ...folder, head: `${folder.head.replace(/\/$/, '')}/${path}.pm` })),
  );
}

/** Code from outside of the repository that nothing is known of. */
export function preloadEffects(command: SimpleCommand, written: WrittenFiles): readonly Effect[] {
  const { root } = written.place;
  const foreign = [...preloadedFiles(command), ...libraryFiles(command)].find((file) => {
    if (/^(?:data|https?):/.test(file.head)) return true;
    const plain = exactField(fieldText(file).replace(/^file:\/\//, ''));
    const outside = command.cwds.some(
      (cwd) =>
        !isAtOrBelow(
          placedPath(plain.head, cwd ?? '/', (same) => same, false),
          root,
        ),
    );
    return outside && textsAt(plain, command, written).length === 0;
  });
  if (foreign === undefined) return [];
  const by = programName(command.argv[0]);
  return [{ kind: 'environment', by, shown: `${by} … ${shownField(foreign)}`.slice(0, 120) }];
}
