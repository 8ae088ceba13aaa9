import {
  exactField,
  type Field,
  fieldText,
  hasFlag,
  type Inner,
  joinWithSpaces,
  patternField,
  type SimpleCommand,
  splitArguments,
  UNKNOWN_MARK,
} from '../shell/index.ts';

const GLOBAL = ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'];

export type GitCall = {
  readonly verb: string;
  readonly args: readonly Field[];
  readonly cwds: readonly (string | null)[];
  /** `--git-dir` or the like makes another repository's settings apply to this work tree. */
  readonly foreign: boolean;
  /** Settings of this call, each `name=value`. */
  readonly settings: readonly Field[];
};

/** Git accepts unique beginnings of long options: `--har`. */
const LONG =
  '--hard --merge --force --force-with-lease --discard-changes --delete --mirror --prune --staged --worktree --dry-run --no-verify --cached --force-create'.split(
    ' ',
  );

/** Returns long options spelled out. Beginnings shorter than 4 characters stay as they are. */
export function spelledOut(flags: readonly string[]): readonly string[] {
  return flags.map((flag) => {
    const [name = '', ...value] = flag.split('=');
    if (name.length < 4 || name === '--no' || !name.startsWith('--') || LONG.includes(name)) return flag;
    return [LONG.find((each) => each.startsWith(name)) ?? name, ...value].join('=');
  });
}

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

export function gitCommands(args: readonly Field[]): readonly Inner[] {
  const { values, operands } = splitArguments(args, GLOBAL, true);
  const [verb, word] = operands.map(fieldText);
  const rest = operands.slice(1);
  // `alias.x=!command` and settings such as `core.editor` hold commands.
  const own = verb === 'clone' || verb === 'submodule' ? valuesOf(rest, ['-c', '--config']) : [];
  const set = [...(values.get('-c') ?? []), ...own]
    .filter((each) => /^alias\.[^=]*=!|^(?:core|sequence|diff|pager|credential)\.[^=]*=/i.test(each.head))
    .map((each) => script({ ...each, head: each.head.replace(/^[^=]*=!?/, '') }));
  // `ext::COMMAND` as an address runs the command; `% ` is a blank in it.
  const transports = rest.flatMap(({ head, ...other }) =>
    head.startsWith('ext::') ? [script({ ...other, head: head.slice(5).replaceAll('% ', ' ') })] : [],
  );
  const named = (values.get('-c') ?? []).filter(
    ({ head }) => head.startsWith(`alias.${verb}=`) && !head.includes('=!'),
  );
  const aliased = named.map((each) =>
    script(joinWithSpaces([exactField('git'), { ...each, head: each.head.replace(/^[^=]*=/, '') }, ...rest])),
  );
  return [...set, ...aliased, ...transports, ...verbCommands(verb, word, rest)];
}

const script = (text: Field): Inner => ({ kind: 'script', text });
const call = (argv: readonly Field[]): readonly Inner[] =>
  argv.length === 0 ? [] : [{ kind: 'argv', argv, assigned: [] }];
/** Returns a script for a command to which git appends file names. */
const withFiles = (text: Field): Inner =>
  script({ ...text, kind: 'unknown', tail: `${text.tail} ${UNKNOWN_MARK}` });

/** Options that name the program which serves or sends. */
const SERVED_BY = ['--upload-pack', '--receive-pack', '--exec', '--sendmail-cmd'];

function verbCommands(
  verb: string | undefined,
  word: string | undefined,
  rest: readonly Field[],
): readonly Inner[] {
  switch (verb) {
    case 'config': {
      // An alias is judged by the git command that it will run.
      const [name, value] = splitArguments(rest, ['-f', '--file', '--type']).operands;
      const isAlias =
        name?.head.startsWith('alias.') === true && value !== undefined && !value.head.startsWith('!');
      return isAlias ? [script(joinWithSpaces([exactField('git'), value]))] : [];
    }
    case 'bisect':
      return word === 'run' ? call(rest.slice(1)) : [];
    case 'submodule': {
      const named = splitArguments(rest, [], true).operands;
      if (named[0]?.head !== 'foreach') return [];
      const words = splitArguments(named.slice(1), [], true).operands;
      return words.length === 1 ? words.map(script) : call(words);
    }
    case 'clone':
    case 'fetch':
    case 'pull':
    case 'ls-remote':
    case 'push':
    case 'archive':
    case 'send-email':
      return valuesOf(rest, SERVED_BY).map(script);
    case 'rebase':
      return valuesOf(rest, ['-x', '--exec']).map(script);
    case 'filter-branch':
      return valuesOf(rest, FILTERS).map(script);
    case 'difftool':
    case 'mergetool':
      return valuesOf(rest, ['-x', '--extcmd']).map(withFiles);
    case 'grep':
      return valuesOf(rest, ['-O', '--open-files-in-pager']).map(withFiles);
    default:
      return [];
  }
}

function valuesOf(args: readonly Field[], options: readonly string[]): readonly Field[] {
  return [...splitArguments(args, options).values.values()].flat();
}

export function gitDeletes(call: GitCall, root: string): readonly Field[] {
  const { verb, args } = call;
  switch (verb) {
    case 'rm': {
      const { flags, operands } = splitArguments(args, ['--pathspec-from-file']);
      return hasFlag(flags, '--cached', '-n', '--dry-run', '--help')
        ? []
        : operands.flatMap((each) => pathspec(each, root) ?? []);
    }
    case 'mv': {
      const { operands } = splitArguments(args);
      return operands.slice(0, -1);
    }
    case 'clean':
      return cleaned(call, root);
    case 'stash':
      // Ignored files are stashed, too, and `.ralph` is ignored.
      return hasFlag(splitArguments(args, ['-m', '--message']).flags, '-a', '--all')
        ? [exactField('.ralph')]
        : [];
    case 'worktree': {
      const { operands } = splitArguments(args);
      return fieldText(operands[0] ?? exactField('')) === 'remove' ? operands.slice(1) : [];
    }
    default:
      return [];
  }
}

function cleaned({ args, cwds, foreign, settings }: GitCall, root: string): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-e', '--exclude']);
  const dry = hasFlag(flags, '-n', '--dry-run', '--help', '-h');
  const forced =
    hasFlag(flags, '-f', '--force') || settings.some((each) => /^clean\.requireforce=/i.test(each.head));
  if (dry || !forced) return [];
  const excluded = [...values.values()].flat().some((field) => fieldText(field).includes('.ralph'));
  const named = operands.flatMap((each) => pathspec(each, root) ?? []);
  const start = named.length > 0 ? named : [exactField('.')];
  const ignored = (foreign || hasFlag(flags, '-x', '-X')) && !excluded;
  return start.map((target) => {
    const text = fieldText(target).replace(/\/+$/, '');
    const top = text === root || (/^(?:\.\/?)*$/.test(text) && cwds.every((cwd) => cwd === root));
    // At the root of the repository, `.ralph` is among the ignored files.
    if (top) return exactField(`${root}/${ignored ? '.ralph' : 'x'}`);
    return text === '.' || text === '' ? exactField('./x') : target;
  });
}

/** Returns the path of a git pathspec: `:/` is the root, signs are modifiers. `null` for one that only excludes. */
function pathspec(field: Field, root: string): Field | null {
  if (field.kind !== 'exact') return field;
  const [, words = '', signs = '', rest = ''] = /^:(?:\(([^)]*)\)|([/!^]+))(.*)$/s.exec(field.head) ?? [];
  if (words === '' && signs === '') return patternField(field.head);
  if (/exclude/.test(words) || /[!^]/.test(signs)) return null;
  const top = signs !== '' || /top/.test(words);
  return patternField(top ? `${root}/${rest}` : rest || '.');
}

const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  'format-patch': ['-o', '--output-directory', '--output'],
  archive: ['-o', '--output'],
  diff: ['--output'],
  log: ['--output'],
  show: ['--output'],
  apply: ['--directory'],
  config: ['-f', '--file'],
  'checkout-index': ['--prefix'],
};
const VALUED_AFTER = ['-b', '-B', '-c', '-s', '--source', '--depth', '--branch', '--pathspec-from-file'];

/** Returns the files that a git call names and writes. The files in a commit, branch or patch aren't known. */
export function gitWrites({ verb, args }: GitCall): readonly Field[] {
  const options = OUTPUTS[verb] ?? [];
  const { values, operands, flags } = splitArguments(args, [...options, ...VALUED_AFTER]);
  const outputs = options.flatMap((option) => values.get(option) ?? []);
  const first = operands[0] === undefined ? '' : fieldText(operands[0]);
  switch (verb) {
    case 'mv':
    case 'clone':
      return operands.slice(-1);
    case 'init':
    case 'checkout':
      return operands;
    case 'restore':
      return flags.includes('--staged') || flags.includes('-S') ? [] : operands;
    case 'worktree':
    case 'submodule':
      return first === 'add' ? operands.slice(1) : [];
    case 'bundle':
      return first === 'create' ? operands.slice(1, 2) : [];
    default:
      return outputs;
  }
}
