import type { ReviewPlace } from '../domain/review.ts';
import { hasFlag, programName, splitArguments } from './arguments.ts';
import { type Denial, deny } from './denial.ts';
import { exactField, type Field, fieldText, joinFields, shownField } from './field.ts';
import { findDeletes, foundNames } from './find.ts';
import { gitDeletions } from './git-deletions.ts';
import { judgeDeletion } from './judge-path.ts';
import type { SimpleCommand, Target } from './simple-command.ts';

type Remover = {
  readonly valued?: readonly string[];
  /** Words after the program that belong to it, such as `trash` of `gio trash`. */
  readonly verb?: string;
};

/** Programs that delete, or empty, what their operands name. */
const REMOVERS: Readonly<Record<string, Remover>> = {
  rm: {},
  rmdir: {},
  unlink: {},
  shred: { valued: ['-n', '-s', '--iterations', '--size', '--random-source'] },
  srm: {},
  wipe: {},
  truncate: { valued: ['-s', '-r', '--size', '--reference'] },
  trash: {},
  'trash-put': {},
  'gvfs-trash': {},
  gio: { verb: 'trash' },
  del: {},
  erase: {},
  rd: {},
  rimraf: { valued: ['--impl', '--tmp', '--max-retries', '--retry-delay', '--backoff'] },
  'del-cli': {},
  wipefs: {},
  blkdiscard: {},
};

/** Devices that nothing is kept on. */
const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/|tcp\/|udp\/|pts\/|shm\/)/;

/** What comes of what a command deletes; `null`: nothing against it. */
export function judgeDeletions(command: SimpleCommand, place: ReviewPlace): Denial | null {
  for (const { target, cwds } of deletedBy(command, place)) {
    const denial = judgeDeletion(target, cwds, place);
    if (denial !== null) return programName(command.argv[0]) === 'mv' ? explained(denial, target) : denial;
  }
  return null;
}

/** Not everybody thinks of `mv` as something that deletes. */
function explained(denial: Denial, target: Field): Denial {
  if (denial.rule !== 'deletion_outside') return denial;
  return deny(
    denial.rule,
    `mv takes files away where they were, and replaces what lies where they go: outside the repository ("${shownField(target)}") neither is done. Copy with cp, or move there with mv -n.`,
  );
}

function deletedBy(command: SimpleCommand, place: ReviewPlace): readonly Target[] {
  const name = programName(command.argv[0]);
  if (name === 'git') return gitDeletions(command, place);
  const targets = [...deletedOperands(name, command), ...emptied(command)];
  return targets.map((target) => ({ target, cwds: command.cwds }));
}

function deletedOperands(name: string, { argv }: SimpleCommand): readonly Field[] {
  const args = argv.slice(1);
  const remover = REMOVERS[name] ?? (isRemoverByLook(argv) ? {} : undefined);
  if (remover !== undefined) {
    const { flags, operands } = splitArguments(args, remover.valued);
    if (hasFlag(flags, '--help', '--version')) return [];
    if (remover.verb === undefined) return operands;
    return fieldText(operands[0] ?? exactField('')) === remover.verb ? operands.slice(1) : [];
  }
  if (/^mkfs(?:\..*)?$|^mke2fs$/.test(name)) {
    const { operands } = splitArguments(args, [
      '-t',
      '-L',
      '-b',
      '-O',
      '-o',
      '-m',
      '-U',
      '-i',
      '-I',
      '-N',
      '-T',
      '-E',
    ]);
    return operands.slice(0, 1).filter((target) => target.head.startsWith('/dev/'));
  }
  switch (name) {
    case 'find':
      return findDeletes(args) ? foundNames(args) : [];
    case 'mv':
      return moved(args);
    case 'rsync':
      return synced(args);
    case 'dd':
      return args
        .filter((arg) => arg.head.startsWith('of='))
        .map((arg) => ({ ...arg, head: arg.head.slice(3) }))
        .filter((target) => !HARMLESS_DEVICE.test(target.head));
    case 'tar':
      return packed(args);
    case 'zip':
      // The archive, then what goes into it.
      return hasFlag(splitArguments(args).flags, '-m', '--move')
        ? splitArguments(args).operands.slice(1)
        : [];
    default:
      return [];
  }
}

/** What `tar` deletes when it has packed it, in the folder that it was sent to. */
function packed(args: readonly Field[]): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-f', '-C', '--file', '--directory']);
  if (!hasFlag(flags, '--remove-files')) return [];
  const folders = [...(values.get('-C') ?? []), ...(values.get('--directory') ?? []), exactField('.')];
  return folders.flatMap((folder) =>
    operands.map((each) => joinFields(joinFields(folder, exactField('/')), each)),
  );
}

/** `$TOOL -rf x`: no other program is commonly called so. */
function isRemoverByLook(argv: readonly Field[]): boolean {
  const [name, first] = argv;
  return (
    name?.kind === 'unknown' &&
    /^-[a-zA-Z]*(?:[rR][a-zA-Z]*f|f[a-zA-Z]*[rR])[a-zA-Z]*$/.test(first?.head ?? '')
  );
}

/** What is moved vanishes where it was, and what lies at the new place is replaced. */
function moved(args: readonly Field[]): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-t', '-S', '--target-directory', '--suffix']);
  if (hasFlag(flags, '--help', '--version')) return [];
  const keeps = hasFlag(flags, '-n', '--no-clobber', '-b', '--backup', '--update=none');
  const folder = (values.get('-t') ?? values.get('--target-directory'))?.[0];
  if (folder !== undefined)
    return [...operands, ...(keeps ? [] : operands.map((each) => inFolder(folder, each)))];
  const sources = operands.slice(0, -1);
  const last = operands.at(-1);
  if (last === undefined || keeps) return sources;
  // The top of the repository is a folder: what is moved there lies in it.
  const into = operands.length > 2 || /(?:^|\/)\.{0,2}\/?$/.test(fieldText(last));
  return [...sources, ...(into ? sources.map((each) => inFolder(last, each)) : [last])];
}

function inFolder(folder: Field, source: Field): Field {
  const text = source.head.replace(/\/+$/, '');
  const name = { ...source, head: text.slice(text.lastIndexOf('/') + 1) };
  return joinFields(joinFields(folder, exactField('/')), name);
}

function synced(args: readonly Field[]): readonly Field[] {
  const { flags, operands } = splitArguments(args, [
    '-e',
    '--rsh',
    '-f',
    '--filter',
    '--exclude',
    '--include',
  ]);
  if (hasFlag(flags, '-n', '--dry-run')) return [];
  const there = operands.slice(-1).filter((target) => !/^[\w.@-]+:/.test(target.head));
  // A trailing slash changes nothing for the target, whose entries are deleted.
  const inside = there.map((target) => joinFields(target, exactField('/x')));
  const deletes = flags.some((flag) => /^--del(?:ete.*)?$/.test(flag));
  const removes = flags.some((flag) => flag.startsWith('--remove-s'));
  return [...(deletes ? inside : []), ...(removes ? operands.slice(0, -1) : [])];
}

/** Redirects that leave a file empty, and those onto a device. */
function emptied({ argv, writes, empties }: SimpleCommand): readonly Field[] {
  const written = /^(?:tee|cp)$/.test(programName(argv[0])) ? [...writes, ...argv.slice(1)] : writes;
  const devices = written.filter(
    (target) => /^\/dev\//.test(target.head) && !HARMLESS_DEVICE.test(target.head),
  );
  const copiesNothing = programName(argv[0]) === 'cp' && argv.some((each) => each.head === '/dev/null');
  if (copiesNothing) return argv.slice(-1).filter((target) => !HARMLESS_DEVICE.test(target.head));
  if (programName(argv[0]) === 'cp') return devices.slice(-1).filter((target) => target === argv.at(-1));
  return [...devices, ...(empties ? writes.filter((target) => !HARMLESS_DEVICE.test(target.head)) : [])];
}
