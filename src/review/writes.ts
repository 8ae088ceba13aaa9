import type { ReviewPlace } from '../domain/review.ts';
import { hasFlag, programName, splitArguments } from './arguments.ts';
import type { Denial } from './denial.ts';
import { exactField, type Field, fieldText, joinFields } from './field.ts';
import { gitCall } from './git-deletions.ts';
import { judgeWrite } from './judge-path.ts';
import type { SimpleCommand } from './simple-command.ts';

type Writer = {
  readonly valued?: readonly string[];
  /** Options whose value is a file or folder that is written. */
  readonly into?: readonly string[];
  /** Which operands are written; none where it is left out. */
  readonly operands?: 'all' | 'last' | 'after-first';
};

const MODES = ['--reference'];
const WRITERS: Readonly<Record<string, Writer>> = {
  tee: { operands: 'all' },
  sponge: { operands: 'all' },
  touch: { operands: 'all', valued: ['-d', '-t', '-r', '--date', '--reference'] },
  mkdir: { operands: 'all', valued: ['-m', '--mode'] },
  mkfifo: { operands: 'all', valued: ['-m'] },
  cp: { operands: 'last', valued: ['-S'], into: ['-t', '--target-directory'] },
  mv: { operands: 'last', valued: ['-S'], into: ['-t', '--target-directory'] },
  install: { operands: 'last', valued: ['-m', '-o', '-g', '-S'], into: ['-t', '--target-directory'] },
  scp: { operands: 'last', valued: ['-i', '-P', '-o', '-l', '-c', '-F', '-J'] },
  rsync: {
    operands: 'last',
    valued: ['-e', '-f', '--filter', '--exclude', '--include'],
    into: ['--log-file'],
  },
  ln: { operands: 'all', valued: ['-S'], into: ['-t', '--target-directory'] },
  link: { operands: 'all' },
  chmod: { operands: 'all', valued: MODES },
  chown: { operands: 'all', valued: MODES },
  chgrp: { operands: 'all', valued: MODES },
  chattr: { operands: 'all' },
  setfacl: { operands: 'all', valued: ['-m', '-x', '-M', '-X'] },
  truncate: { operands: 'all', valued: ['-s', '-r'] },
  curl: {
    valued: ['-H', '-d', '-X', '-u', '-F', '-A'],
    into: ['-o', '--output', '--output-dir', '-D', '-c'],
  },
  wget: {
    valued: ['-U', '--header'],
    into: ['-O', '-P', '-o', '-a', '--output-document', '--directory-prefix'],
  },
  tar: { valued: ['-T', '-X'], into: ['-C', '--directory'] },
  unzip: { valued: ['-x'], into: ['-d'] },
  patch: { operands: 'all', valued: ['-p', '-F', '-i'], into: ['-d', '-o', '--directory', '--output'] },
  sort: { valued: ['-k', '-t', '-S', '-T'], into: ['-o', '--output'] },
  split: { operands: 'last', valued: ['-b', '-l', '-n', '-a', '-C'] },
  vi: { operands: 'all' },
  ed: { operands: 'all' },
  nano: { operands: 'all' },
};
const IN_PLACE = /^(?:sed|gsed|perl|ruby|yq|awk|gawk)$/;

/** What comes of what a command writes, by the folders that nothing is written to; `null`: nothing against it. */
export function judgeWrites(command: SimpleCommand, place: ReviewPlace): Denial | null {
  const git = programName(command.argv[0]) === 'git' ? gitCall(command) : null;
  const cwds = git?.cwds ?? command.cwds;
  for (const target of [...command.writes, ...(git === null ? written(command) : gitWrites(git))]) {
    const denial = judgeWrite(target, cwds, place);
    if (denial !== null) return denial;
  }
  return null;
}

function gitWrites({ verb, args }: ReturnType<typeof gitCall>): readonly Field[] {
  const { operands } = splitArguments(args, ['-b', '-o', '-c', '--depth', '--branch']);
  if (verb === 'mv' || verb === 'clone') return operands.slice(-1);
  const folder = verb === 'init' || (verb === 'worktree' && operands[0]?.head === 'add');
  return folder ? operands : [];
}

function written({ argv }: SimpleCommand): readonly Field[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (IN_PLACE.test(name)) return editedInPlace(args);
  if (name === 'dd')
    return args
      .filter((arg) => arg.head.startsWith('of='))
      .map((arg) => ({ ...arg, head: arg.head.slice(3) }));
  if (name === 'find') return findOutputs(args);
  const writer = WRITERS[name];
  if (writer === undefined) return [];
  const into = writer.into ?? [];
  const { flags, values, operands } = splitArguments(args, [...into, ...(writer.valued ?? [])]);
  const named = into.flatMap((option) => values.get(option) ?? []);
  const creates = name === 'tar' ? archive(args) : [];
  if (hasFlag(flags, '--help', '--version')) return [];
  return [...named, ...creates, ...placed(writer, operands, named)];
}

function placed(writer: Writer, operands: readonly Field[], folders: readonly Field[]): readonly Field[] {
  switch (writer.operands) {
    case 'all':
      return operands;
    case 'last': {
      // Copied into a folder, a file or folder keeps its name there.
      const sources = folders.length > 0 ? operands : operands.slice(0, -1);
      const targets = folders.length > 0 ? folders : operands.slice(-1);
      return targets.flatMap((target) => [target, ...sources.map((source) => within(target, source))]);
    }
    default:
      return [];
  }
}

function within(folder: Field, source: Field): Field {
  const text = source.head.replace(/\/+$/, '');
  const name = { ...source, head: text.slice(text.lastIndexOf('/') + 1) };
  return joinFields(joinFields(folder, exactField('/')), name);
}

/** `sed -i 's/a/b/' FILE`: the first operand is the program, unless it was given by an option. */
function editedInPlace(args: readonly Field[]): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-e', '-f', '--expression', '--file']);
  const edits = flags.some((flag) => /^-[a-zA-Z]*i|^--in-place/.test(flag));
  if (!edits) return [];
  return values.size > 0 ? operands : operands.slice(1);
}

function findOutputs(args: readonly Field[]): readonly Field[] {
  return args.filter((_, index) =>
    /^-f(?:print0?|printf|ls)$/.test(fieldText(args[index - 1] ?? exactField(''))),
  );
}

/** The archive that `tar c` makes. */
function archive(args: readonly Field[]): readonly Field[] {
  const [first] = args;
  const bundled = first !== undefined && /^[a-zA-Z]*$/.test(first.head) && first.head.includes('f');
  if (bundled) return /[cru]/.test(first.head) ? args.slice(1, 2) : [];
  const { flags, values } = splitArguments(args, ['-f', '--file', '-C', '-T', '-X']);
  return hasFlag(flags, '-c', '-r', '-u', '--create')
    ? [...(values.get('-f') ?? []), ...(values.get('--file') ?? [])]
    : [];
}
