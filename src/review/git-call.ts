import { splitArguments } from './arguments.ts';
import { exactField, type Field, fieldText, joinWithSpaces } from './field.ts';
import type { SimpleCommand } from './simple-command.ts';

const GLOBAL = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'];

/** What a call of git is about: its word, what follows, and the folders that it works in. */
export type GitCall = {
  readonly verb: string;
  readonly args: readonly Field[];
  readonly cwds: readonly (string | null)[];
  /** It takes another repository's word for what belongs to this work tree. */
  readonly foreign: boolean;
  /** Settings that hold for this call, `name=value`. */
  readonly settings: readonly Field[];
};

export function gitCall({ argv, cwds: from, git }: SimpleCommand): GitCall {
  const { values, operands } = splitArguments(argv.slice(1), GLOBAL, true);
  let cwds = from;
  for (const folder of values.get('-C') ?? []) cwds = cwds.map((cwd) => enter(cwd, folder));
  const trees = values.get('--work-tree') ?? git.workTrees;
  if (trees.length > 0) cwds = trees.flatMap((tree) => cwds.map((cwd) => enter(cwd, tree)));
  return {
    verb: fieldText(operands[0] ?? exactField('')),
    args: operands.slice(1),
    cwds,
    foreign: git.otherFolder || values.has('--git-dir'),
    settings: values.get('-c') ?? [],
  };
}

function enter(cwd: string | null, folder: Field): string | null {
  if (folder.kind !== 'exact') return null;
  if (folder.head.startsWith('/')) return folder.head;
  return cwd === null ? null : `${cwd}/${folder.head}`;
}

const FILTERS = ['tree', 'index', 'msg', 'env', 'parent', 'commit', 'tag-name'].map(
  (each) => `--${each}-filter`,
);

/** The command lines that a call of git runs. */
export function gitCommands(args: readonly Field[]): readonly Field[] {
  const { values, operands } = splitArguments(args, GLOBAL, true);
  const [verb, word] = operands.map(fieldText);
  const rest = operands.slice(1);
  // `alias.x=!command`, and settings such as `core.editor`, which are commands too.
  const set = (values.get('-c') ?? [])
    .filter((each) => /^alias\.[^=]*=!|^(?:core|sequence|diff|pager|credential)\.[^=]*=/i.test(each.head))
    .map((each) => ({ ...each, head: each.head.replace(/^[^=]*=!?/, '') }));
  switch (verb) {
    case 'bisect':
      return word === 'run' ? [...set, joinWithSpaces(rest.slice(1))] : set;
    case 'submodule': {
      const named = splitArguments(rest).operands;
      return named[0]?.head === 'foreach' ? [...set, joinWithSpaces(named.slice(1))] : set;
    }
    case 'rebase':
      return [...set, ...valuesOf(rest, ['-x', '--exec'])];
    case 'filter-branch':
      return [...set, ...valuesOf(rest, FILTERS)];
    default:
      return set;
  }
}

function valuesOf(args: readonly Field[], options: readonly string[]): readonly Field[] {
  return [...splitArguments(args, options).values.values()].flat();
}
