import { AGENT_PROGRAMS } from '../domain/agents.ts';
import type { ReviewPlace } from '../domain/review.ts';
import { hasFlag, programName, splitArguments } from './arguments.ts';
import type { Denial } from './denial.ts';
import { exactField, type Field, fieldText, joinFields } from './field.ts';
import { gitCall } from './git-call.ts';
import { gitWrites } from './git-writes.ts';
import { judgeWrite } from './judge-path.ts';
import type { SimpleCommand } from './simple-command.ts';

type Writer = {
  readonly valued?: readonly string[];
  /** Options whose value is a file or folder that is written. */
  readonly into?: readonly string[];
  /** Which operands are written; none where it is left out. */
  readonly operands?: 'all' | 'first' | 'last';
};

const MODES = ['--reference'];
const EDITOR: Writer = { operands: 'all', valued: ['-c', '--cmd', '-S', '-u'] };
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
  unzip: { valued: ['-x'], into: ['-d'] },
  patch: { operands: 'all', valued: ['-p', '-F', '-i'], into: ['-d', '-o', '--directory', '--output'] },
  sort: { valued: ['-k', '-t', '-S', '-T'], into: ['-o', '--output'] },
  split: { operands: 'last', valued: ['-b', '-l', '-n', '-a', '-C'] },
  vi: EDITOR,
  vim: EDITOR,
  nvim: EDITOR,
  ex: EDITOR,
  ed: EDITOR,
  nano: EDITOR,
  emacs: { operands: 'all', valued: ['-f', '-l', '--eval', '--load', '--funcall', '--execute'] },
  zip: { operands: 'first', valued: ['-x', '-i'] },
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

function written({ argv }: SimpleCommand): readonly Field[] {
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (IN_PLACE.test(name)) return editedInPlace(args);
  if (name === 'dd')
    return args
      .filter((arg) => arg.head.startsWith('of='))
      .map((arg) => ({ ...arg, head: arg.head.slice(3) }));
  if (name === 'find') return findOutputs(args);
  if (name === 'tar' || name === 'gtar' || name === 'bsdtar') return tarWrites(args);
  if (AGENT_PROGRAMS.includes(name)) return agentSettings(name, args);
  const writer = WRITERS[name];
  if (writer === undefined) return [];
  const into = writer.into ?? [];
  const { flags, values, operands } = splitArguments(args, [...into, ...(writer.valued ?? [])]);
  const named = into.flatMap((option) => values.get(option) ?? []);
  if (hasFlag(flags, '--help', '--version')) return [];
  if (name === 'install' && hasFlag(flags, '-d', '--directory')) return operands;
  return [...named, ...unpacked(name, flags, named), ...placed(writer, operands, named)];
}

/** Programs that write into the folder they are in, under names that are not said. */
function unpacked(name: string, flags: readonly string[], named: readonly Field[]): readonly Field[] {
  const here = name === 'curl' ? hasFlag(flags, '-O', '-J', '--remote-name') : /^(?:wget|unzip)$/.test(name);
  return here && named.length === 0 ? [exactField('./x')] : [];
}

function placed(writer: Writer, operands: readonly Field[], folders: readonly Field[]): readonly Field[] {
  switch (writer.operands) {
    case 'all':
      return operands;
    case 'first':
      return operands.slice(0, 1);
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

/** The archive that `tar c` makes, and what `tar x` takes out of one. */
function tarWrites(args: readonly Field[]): readonly Field[] {
  const [first] = args;
  const bundled = first !== undefined && /^[a-zA-Z]+$/.test(first.head) ? first.head : '';
  const dashed = bundled === '' ? args : [exactField(`-${bundled}`), ...args.slice(1)];
  const { flags, values, operands } = splitArguments(dashed, [
    '-f',
    '--file',
    '-C',
    '--directory',
    '-T',
    '-X',
  ]);
  const mode = dashed.map((arg) => /^-([a-zA-Z]*?)(?:[fC]|$)/.exec(fieldText(arg))?.[1] ?? '').join('');
  const archive = [...(values.get('-f') ?? []), ...(values.get('--file') ?? [])];
  if (/[cru]/.test(mode) || hasFlag(flags, '--create', '--append', '--update')) return archive;
  if (!mode.includes('x') && !hasFlag(flags, '--extract', '--get')) return [];
  const folders = [...(values.get('-C') ?? []), ...(values.get('--directory') ?? [])];
  const into = folders.length > 0 ? folders : [exactField('.')];
  return into.flatMap((folder) => [
    folder,
    ...operands.map((each) => joinFields(folder, joinFields(exactField('/'), each))),
  ]);
}

const CHANGES =
  /^(?:add.*|set|remove|rm|delete|import|install|uninstall|enable|disable|link|unlink|reset.*)$/;

/** `claude mcp add`, `gemini extensions install`: an agent's own program changes its settings. */
function agentSettings(name: string, args: readonly Field[]): readonly Field[] {
  const [topic = '', verb = ''] = splitArguments(args).operands.map(fieldText);
  const changes = /^(?:mcp|config|plugins?|extensions?|hooks?|settings)$/.test(topic) && CHANGES.test(verb);
  return changes ? [{ kind: 'unknown', head: `~/.${name}`, tail: '' }] : [];
}
