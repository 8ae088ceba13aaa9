import {
  exactField,
  type Field,
  fieldText,
  findDeletes,
  hasFlag,
  matchedPaths,
  patternField,
  splitArguments,
} from '../../shell/index.ts';
import {
  type Call,
  entriesFor,
  inFolder,
  isHarmlessDevice,
  isLastingDevice,
  lastPlaces,
  type Program,
  under,
} from './program.ts';

const EDITOR: Program = {
  writes: 'all',
  valued: ['-c', '--cmd', '-S', '-u'],
  prompt: { exitingOptions: ['--version', '--help', '-es', '-Es', '--headless'], operands: 99 },
};
const INTO = ['-t', '--target-directory'];
const CURL_INTO = ['-o', '--output', '--output-dir', '-D', '-c'];
const WGET_INTO = ['-O', '-P', '-o', '-a', '--output-document', '--directory-prefix'];
const TAR: Program = {
  bundled: true,
  valued: ['-f', '--file', '-C', '--directory', '--one-top-level', '-T', '-X'],
  scripts: ['-I', '--use-compress-program', '--to-command', '--checkpoint-action', '-F', '--info-script'],
  writes: tarWrites,
  deletes: packed,
};

export const FILES: Readonly<Record<string, Program>> = {
  ...entriesFor(
    'basename cat cd cmp column comm cut df diff dirname du echo egrep false fgrep grep head hexdump id jq ls md5sum nl od printf pwd readlink realpath sha1sum sha256sum stat strings tail test tr true type uname wc which whoami',
    { readsOnly: true },
  ),
  date: { readsOnly: { unless: /^(?:-s|--set)|^\d{8}/ } },
  tree: { readsOnly: { unless: /^-o/ } },
  rg: { readsOnly: { unless: /^--(?:pre|hostname-bin)/ } },
  uniq: { readsOnly: { unless: /^[^-]/ } },

  ...entriesFor(
    'rm rmdir unlink srm srmdir wipe scrub nwipe rip trash trash-put trash-rm gvfs-trash del-cli wipefs blkdiscard',
    { deletes: 'all' },
  ),
  shred: { deletes: 'all', valued: ['-n', '-s', '--iterations', '--size', '--random-source'] },
  rimraf: { deletes: 'all', valued: ['--impl', '--tmp', '--max-retries', '--retry-delay', '--backoff'] },
  ...entriesFor('rename prename perl-rename mmv', { writes: ({ operands }) => operands.slice(1) }),
  truncate: { deletes: 'all', writes: 'all', valued: ['-s', '-r', '--size', '--reference'] },
  ...entriesFor('mkfs mke2fs', {
    deletes: ({ operands }) => operands.slice(0, 1).filter((target) => target.head.startsWith('/dev/')),
    valued: ['-t', '-L', '-b', '-O', '-o', '-m', '-U', '-i', '-I', '-N', '-T', '-E'],
  }),
  ...entriesFor('dd dcfldd dc3dd', {
    deletes: (call) => ddOutput(call).filter((target) => !isHarmlessDevice(target)),
    writes: ddOutput,
  }),

  tee: { writes: 'all', deletes: ({ args }) => args.filter(isLastingDevice) },
  ...entriesFor('sponge link', { writes: 'all' }),
  touch: { writes: 'all', valued: ['-d', '-t', '-r', '--date', '--reference'] },
  mkdir: { writes: 'all', valued: ['-m', '--mode'] },
  mkfifo: { writes: 'all', valued: ['-m'] },
  cp: { writes: 'last', valued: ['-S'], into: INTO, deletes: emptiedByCopy },
  mv: { writes: 'last', valued: ['-S', '--suffix'], into: INTO, deletes: moved },
  install: {
    writes: (call) => (hasFlag(call.flags, '-d', '--directory') ? call.operands : lastPlaces(call, INTO)),
    valued: ['-m', '-o', '-g', '-S'],
    into: INTO,
  },
  ln: { writes: 'last', links: true, valued: ['-S'], into: INTO },
  ...entriesFor('gzip bzip2 xz zstd lzma', { deletes: replaced, valued: ['-S', '-T', '-o'] }),
  ...entriesFor('gunzip bunzip2 unxz', { deletes: replaced, valued: ['-S'] }),
  fd: { deletes: () => [], readsOnly: { unless: /^-[a-zA-Z]*[xX]|^--exec/ } },
  rsync: {
    writes: copiedTo,
    valued: ['-f', '--filter', '--exclude', '--include'],
    into: ['--log-file'],
    scripts: ['-e', '--rsh', '--rsync-path'],
    deletes: synced,
  },
  ...entriesFor('chmod chown chgrp', { permissions: 'all', valued: ['--reference'] }),
  chattr: { permissions: 'all' },
  setfacl: { permissions: 'all', valued: ['-m', '-x', '-M', '-X'] },
  patch: { writes: 'all', valued: ['-p', '-F', '-i'], into: ['-d', '-o', '--directory', '--output'] },
  sort: {
    valued: ['-k', '-t', '-S', '-T'],
    into: ['-o', '--output'],
    readsOnly: { unless: /^-[a-zA-Z]*o|^--output|^--compress/ },
    scripts: ['--compress-program'],
  },
  split: { writes: 'last', valued: ['-b', '-l', '-n', '-a', '-C'], scripts: ['--filter'] },
  find: {
    deletes: ({ args }) => (findDeletes(args) ? matchedPaths(args) : []),
    writes: ({ args }) =>
      args.filter((_, index) => /^-f(?:print0?|printf|ls)$/.test(textOf(args[index - 1]))),
    readsOnly: { unless: /^-(?:delete|exec|execdir|ok|okdir|fls|fprint|fprintf|fprint0)/ },
  },
  ...entriesFor('tar gtar bsdtar', TAR),
  zip: {
    writes: 'first',
    valued: ['-x', '-i'],
    scripts: ['-TT', '--unzip-command'],
    // The first operand is the archive; the others are moved into it.
    deletes: ({ flags, operands }) => (hasFlag(flags, '-m', '--move') ? operands.slice(1) : []),
  },
  ...entriesFor('7z 7za 7zz', {
    // `-sdel` moves the files into the archive, which is the first operand after the command.
    deletes: ({ flags, operands }) => (hasFlag(flags, '-sdel') ? operands.slice(2) : []),
  }),
  openssl: { writes: ({ args }) => args.filter((_, index) => args[index - 1]?.head === '-out') },
  unzip: { valued: ['-x'], into: ['-d'], writes: hereUnless(['-d'], () => true) },
  curl: {
    valued: ['-H', '-d', '-X', '-u', '-F', '-A'],
    into: CURL_INTO,
    writes: hereUnless(CURL_INTO, ({ flags }) => hasFlag(flags, '-O', '-J', '--remote-name')),
  },
  wget: {
    valued: ['-U', '--header'],
    scripts: ['--use-askpass'],
    into: WGET_INTO,
    writes: hereUnless(WGET_INTO, () => true),
  },
  scp: { writes: copiedTo, valued: ['-i', '-P', '-o', '-l', '-c', '-F', '-J'], scripts: ['-S'] },
  man: { valued: ['-s', '-S', '-M', '-m', '-L'], scripts: ['-P', '--pager'] },

  ...entriesFor('sed gsed yq awk gawk', { writes: editedInPlace }),
  ...entriesFor('vi vim nvim', EDITOR),
  ex: { writes: 'all', valued: ['-c', '--cmd', '-S', '-u'] },
  ed: { writes: 'all', valued: ['-c', '--cmd', '-S', '-u'], prompt: { operands: 1 } },
  nano: {
    writes: 'all',
    valued: ['-c', '--cmd', '-S', '-u'],
    prompt: { exitingOptions: ['--version', '--help', '-V', '-h'], operands: 99 },
  },
  emacs: {
    writes: 'all',
    valued: ['-f', '-l', '--load', '--funcall'],
    code: ['--eval', '-eval', '--execute'],
    prompt: { exitingOptions: ['--version', '--help', '--batch', '-batch'], operands: 99 },
  },
};

/** A packer replaces the file that it gets by the packed one, unless an option keeps it or writes elsewhere. */
function replaced({ flags, operands }: Call): readonly Field[] {
  return hasFlag(flags, '-k', '-c', '-l', '-t', '--keep', '--stdout', '--to-stdout', '--list', '--test')
    ? []
    : operands;
}

function textOf(field: Field | undefined): string {
  return field === undefined ? '' : fieldText(field);
}

function ddOutput({ args }: Call): readonly Field[] {
  return args.filter((arg) => arg.head.startsWith('of=')).map((arg) => ({ ...arg, head: arg.head.slice(3) }));
}

/** Returns the working folder for a program that names its files itself, unless an option in `into` names a place. */
function hereUnless(into: readonly string[], writes: (call: Call) => boolean) {
  return (call: Call): readonly Field[] =>
    writes(call) && !into.some((option) => call.values.has(option)) ? [exactField('./x')] : [];
}

/** The first operand of `sed -i 's/a/b/' FILE` is sed's program, unless an option gives the program. */
export function editedInPlace({ args }: Call): readonly Field[] {
  const { flags, values, operands } = splitArguments(args, ['-e', '-f', '--expression', '--file']);
  const edits = flags.some((flag) => /^-[a-zA-Z]*i|^--in-place/.test(flag));
  if (!edits) return [];
  return values.size > 0 ? operands : operands.slice(1);
}

/** Copying `/dev/null` over a file empties it; a device loses what it holds. */
function emptiedByCopy({ args }: Call): readonly Field[] {
  const empties = args.some((each) => each.head === '/dev/null');
  return args.slice(-1).filter((target) => (empties ? !isHarmlessDevice(target) : isLastingDevice(target)));
}

function moved({ flags, values, operands }: Call): readonly Field[] {
  if (hasFlag(flags, '--help', '--version')) return [];
  const keeps = hasFlag(flags, '-n', '--no-clobber', '-b', '--backup', '--update=none');
  const folder = (values.get('-t') ?? values.get('--target-directory'))?.[0];
  if (folder !== undefined)
    return [...operands, ...(keeps ? [] : operands.map((each) => inFolder(folder, each)))];
  const sources = operands.slice(0, -1);
  const last = operands.at(-1);
  if (last === undefined || keeps) return sources;
  // A target such as `.` or `a/` is a folder: moved files land in it under their own names.
  const into = operands.length > 2 || /(?:^|\/)\.{0,2}\/?$/.test(fieldText(last));
  return [...sources, ...(into ? sources.map((each) => inFolder(last, each)) : [last])];
}

/** Matches a folder of another machine (`user@host:/etc`) that holds its operating system. */
const SYSTEM_THERE = /^(?:[\w.-]+@)?[\w.-]+:(\/(?:$|(?:etc|usr|bin|sbin|lib\w*|boot|dev|root)(?:\/|$)).*)/;

/** Returns the local target, or on another machine the path when it belongs to the operating system. */
function copiedTo(call: Call): readonly Field[] {
  const [, there] = SYSTEM_THERE.exec(call.operands.at(-1)?.head ?? '') ?? [];
  return there === undefined ? lastPlaces(call, []) : [exactField(there)];
}

function synced({ flags, operands }: Call): readonly Field[] {
  if (hasFlag(flags, '-n', '--dry-run')) return [];
  const there = operands.slice(-1).filter((target) => !/^[\w.@-]+:/.test(target.head));
  // A trailing slash doesn't matter: `--delete` removes entries of the target folder.
  const inside = there.map((target) => under(target, patternField('*')));
  const deletes = flags.some((flag) => /^--del(?:ete.*)?$/.test(flag));
  const removes = flags.some((flag) => flag.startsWith('--remove-s'));
  return [...(deletes ? inside : []), ...(removes ? operands.slice(0, -1) : [])];
}

function packed({ flags, values, operands }: Call): readonly Field[] {
  if (!hasFlag(flags, '--remove-files')) return [];
  const folders = [...(values.get('-C') ?? []), ...(values.get('--directory') ?? []), exactField('.')];
  return folders.flatMap((folder) => operands.map((each) => under(folder, each)));
}

/** Returns the archive that `tar c` writes, or the paths that `tar x` unpacks. Options in tar's first word may lack the dash. */
function tarWrites({ args, flags, values, operands }: Call): readonly Field[] {
  const mode = args.map((arg) => /^-([a-zA-Z]*?)(?:[fC]|$)/.exec(fieldText(arg))?.[1] ?? '').join('');
  const archive = [...(values.get('-f') ?? []), ...(values.get('--file') ?? [])];
  if (/[cru]/.test(mode) || hasFlag(flags, '--create', '--append', '--update')) return archive;
  if (!mode.includes('x') && !hasFlag(flags, '--extract', '--get')) return [];
  const folders = ['-C', '--directory', '--one-top-level'].flatMap((option) => values.get(option) ?? []);
  // With `-P`, absolute names in the archive are kept.
  const into =
    /x[a-zA-Z]*P|P[a-zA-Z]*x/.test(mode) || hasFlag(flags, '-P', '--absolute-names')
      ? [exactField('/')]
      : folders.length > 0
        ? folders
        : [exactField('.')];
  return into.flatMap((folder) => [folder, ...operands.map((each) => under(folder, each))]);
}
