import { patchedPaths } from 'ralph-kit/formats/patch-paths';
import {
  type Budget,
  exactField,
  FED_FILE,
  type Field,
  fieldText,
  hasFlag,
  isMadeHere,
  isSpent,
  LONGEST_COMMAND,
  mktempNames,
  programName,
  readScript,
  type SimpleCommand,
  shellCall,
  shownField,
  spend,
  spendAll,
  splitArguments,
  type UnreadText,
} from '../shell/index.ts';
import { callOf, programOf } from './catalogue/index.ts';
import {
  type Call,
  isHarmlessDevice,
  isLastingDevice,
  type KnownProgram,
  lastPlaces,
  type Program,
  type Prompt,
} from './catalogue/program.ts';
import { CODE_TEXT, codeEffects, inlineCode, SHELL_TEXT } from './code/inline-code.ts';
import { leftInContainer, mountEffects } from './containers.ts';
import { credentialEffects } from './credentials.ts';
import { type Effect, type EffectPlace, type Folders, type PathEffect, pathEffect } from './effect.ts';
import { environmentEffects, variableCommands } from './environment.ts';
import { type GitCall, gitCall, gitDeletes, gitWrites } from './git.ts';
import { disabledByGit, historyEffects } from './git-history.ts';
import { networkEffects } from './network/index.ts';
import { programsFor } from './programs.ts';
import { rightsEffects } from './rights.ts';
import { writtenScripts } from './scripts.ts';
import { sharedByGit } from './shared-by-git.ts';
import { wordEffects } from './words/index.ts';
import type { WrittenFiles } from './written-files.ts';

/** Returns the effects of a shell command that runs in `cwd`, and of the commands inside it. */
export function effectsOfCommand(
  text: string,
  cwd: string,
  place: EffectPlace,
  budget: Budget,
): readonly Effect[] {
  return shellEffects(text, cwd, place, { depth: 0, budget });
}

/** Bounds how deep programs inside programs are followed. */
const DEEPEST = 3;

/** Bounds the commands that are judged when the budget ran out. */
const FEW = 40;

type Limits = { readonly depth: number; readonly budget: Budget };

function shellEffects(text: string, cwd: string, place: EffectPlace, limits: Limits): readonly Effect[] {
  const { budget } = limits;
  const { home, root, tmpdir } = place;
  const reading = readScript(text, { cwd, home, root, tmpdir: tmpdir.path }, budget, programsFor(place));
  const { files } = reading;
  // A command whose budget ran out is denied anyway; a few effects are enough for the reason.
  const commands = isSpent(budget) ? reading.commands.slice(0, FEW) : reading.commands;
  const effects = [
    ...commands.flatMap((command) => [
      ...ownEffects(command, { place, files }, { commands, limits }),
      ...wordEffects(command, commands),
    ]),
    ...reading.unread.map((unread) => unreadEffect(unread, text)),
  ];
  if (isSpent(budget)) return [...effects, { kind: 'unfollowed', why: 'spent', text }];
  if (reading.complete) return effects;
  const why = text.length > LONGEST_COMMAND ? 'too_long' : 'no_shell';
  return [...effects, { kind: 'unfollowed', why, text }];
}

type Around = { readonly commands: readonly SimpleCommand[]; readonly limits: Limits };

function ownEffects(
  command: SimpleCommand,
  written: WrittenFiles,
  { commands, limits }: Around,
): readonly Effect[] {
  const { contained } = command;
  if (contained === null)
    return [
      ...simpleEffects(command, written.place),
      ...hereEffects(command, written, commands),
      ...textEffects(command, written, limits),
    ];
  // The files of a container aren't known.
  const place = { ...written.place, root: '/', realPath: (path: string) => path, writtenText: () => null };
  const inside = [
    ...simpleEffects(command, place),
    ...textEffects(command, { place, files: new Map() }, limits),
  ];
  return inside.flatMap((effect) => leftInContainer(effect, contained));
}

function unreadEffect({ from, shown }: UnreadText, text: string): Effect {
  if (from === 'bomb') return { kind: 'exhausts', by: shown, shown: text.slice(0, 120) };
  return { kind: 'runs_text', by: 'shell', shown: shown || text.slice(0, 120), from };
}

function hereEffects(
  command: SimpleCommand,
  written: WrittenFiles,
  commands: readonly SimpleCommand[],
): readonly Effect[] {
  return [
    ...networkEffects(command, written),
    ...credentialEffects(command, written.place, commands),
    ...rightsEffects(command),
    ...(programName(command.argv[0]) === 'git' ? sharedByGit(command, written.place) : []),
    ...mountEffects(command, written.place),
    ...environmentEffects(command),
  ];
}

function textEffects(command: SimpleCommand, written: WrittenFiles, limits: Limits): readonly Effect[] {
  const { cwds } = command;
  const { depth, budget } = limits;
  const { place } = written;
  const codes = inlineCode(command);
  const scripts = writtenScripts(command, written);
  const length = [...codes.map(fieldText), ...scripts.codes, ...scripts.shells].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  const isTooMuch = scripts.shells.length * SHELL_TEXT > budget.left;
  if (isTooMuch || (length > 0 && depth >= DEEPEST)) spendAll(budget);
  if (!spend(budget, length / CODE_TEXT)) return [];
  const shell = (inner: string) =>
    spend(budget, SHELL_TEXT)
      ? cwds.flatMap((folder) => shellEffects(inner, folder ?? '/', place, { depth: depth + 1, budget }))
      : [];
  return [
    ...codes.flatMap((code) => codeEffects(fieldText(code), { place, cwds, shell, inline: true })),
    ...scripts.codes.flatMap((code) => codeEffects(code, { place, cwds, shell, inline: false })),
    ...[...scripts.shells, ...variableCommands(command).map(fieldText)].flatMap(shell),
    ...scripts.others,
  ];
}

function simpleEffects(command: SimpleCommand, place: EffectPlace): readonly Effect[] {
  const program = programOf(command.argv);
  const name = programName(command.argv[0]);
  const git = name === 'git' ? gitCall(command) : null;
  const recursive = isRecursive(command);
  const on = (
    kind: Exclude<PathEffect['kind'], 'reads'>,
    targets: readonly Field[],
    cwds: Folders,
    keeps = false,
  ) =>
    targets.flatMap((target) => {
      const nothing = target.kind === 'exact' && target.head === '';
      const made = kind === 'deletes' && isMadeHere(target, place.tmpdir.path);
      return nothing || made ? [] : [pathEffect(kind, name, target, cwds, place, { recursive, keeps })];
    });
  const { cwds } = command;
  const known = git === null ? fromEntry(program, command) : fromGit(git, place.root);
  const inside = git?.cwds ?? cwds;
  const others = [
    ...known.others,
    ...(waits(command, program)
      ? [{ kind: 'prompts' as const, shown: command.argv.map(fieldText).join(' ').slice(0, 120) }]
      : []),
  ];
  return [
    ...on('deletes', known.deletes, inside),
    ...on('deletes', emptied(command), cwds),
    ...on('writes', command.writes.filter(isFile), git === null ? cwds : [...cwds, ...git.cwds]),
    ...on('writes', known.writes, inside, KEEPS.test(name)),
    ...on(
      'writes',
      program?.links ? command.argv.slice(1, -1).filter(({ head }) => !head.startsWith('-')) : [],
      cwds,
      true,
    ),
    ...on('writes', name === 'mktemp' ? mktempNames(command.argv.slice(1), place.tmpdir.path) : [], cwds),
    ...on('names', git === null ? namedPlaces(command, program) : [], cwds),
    ...on('permissions', known.permissions, inside),
    ...patched(command, git, place),
    ...calledByPattern(command),
    ...others,
  ];
}

/** The program that a pattern such as `/b?n/r?` matches is known only when it runs. */
function calledByPattern({ argv: [name] }: SimpleCommand): readonly Effect[] {
  if (name?.kind !== 'glob' || !name.head.startsWith('/') || !/[*?[]/.test(name.tail)) return [];
  return [{ kind: 'runs_text', by: 'shell', shown: shownField(name), from: 'unknown' }];
}

/** Programs that leave existing content as it is. */
const KEEPS = /^(?:mkdir|touch|mkfifo)$/;

function isFile({ head }: Field): boolean {
  return !/^\/dev\/(?:tcp|udp)\//.test(head);
}

/** Returns whether a deletion or change of rights affects the whole content of folders. */
function isRecursive({ argv }: SimpleCommand): boolean {
  const name = programName(argv[0]);
  // A search by name deletes matches one by one.
  if (name === 'find')
    return !argv.some(({ head }) => /^-(?:i?(?:name|path|regex|wholename)|empty)$/.test(head));
  if (/^(?:rimraf|trash(?:-put)?|srm|gio|rsync|mv|git)$/.test(name)) return true;
  return argv.slice(1).some((arg) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(arg.head));
}

/** Returns outside paths that a little-known program gets and may create, as `python -m venv DIR` does. */
function namedPlaces({ argv }: SimpleCommand, program: KnownProgram | undefined): readonly Field[] {
  if (program !== undefined && program.code === undefined) return [];
  return argv
    .slice(1)
    .map((arg) => ({ ...arg, head: arg.head.replace(/^--?[\w-]+=/, '') }))
    .filter(({ kind, head }) => kind === 'exact' && /^(?:\/|\.\.\/)/.test(head));
}

type Known = {
  readonly deletes: readonly Field[];
  readonly writes: readonly Field[];
  readonly permissions: readonly Field[];
  readonly others: readonly Effect[];
};

const NOTHING: Known = { deletes: [], writes: [], permissions: [], others: [] };

function fromEntry(program: KnownProgram | undefined, command: SimpleCommand): Known {
  if (program === undefined || program.readsOnly === true) return NOTHING;
  const call = callOf(command, program);
  const { flags, values, operands } = call;
  const { deletes, writes, permissions, into = [] } = program;
  const plain = typeof deletes !== 'function' && typeof writes !== 'function';
  if (plain && hasFlag(flags, '--help', '--version')) return NOTHING;
  return {
    deletes: pathsOf(deletes, call, []),
    writes: [...into.flatMap((option) => values.get(option) ?? []), ...pathsOf(writes, call, into)],
    permissions: permissions === undefined ? [] : operands,
    others: [],
  };
}

function fromGit(git: GitCall, root: string): Known {
  return {
    deletes: gitDeletes(git, root),
    writes: gitWrites(git),
    permissions: [],
    others: [...historyEffects(git), ...disabledByGit(git)],
  };
}

function pathsOf(which: Program['writes'], call: Call, into: readonly string[]): readonly Field[] {
  if (typeof which === 'function') return which(call);
  switch (which) {
    case 'all':
      return call.operands;
    case 'first':
      return call.operands.slice(0, 1);
    case 'last':
      return lastPlaces(call, into);
    case undefined:
      return [];
  }
}

function emptied({ writes, empties }: SimpleCommand): readonly Field[] {
  return writes.filter((target) => isLastingDevice(target) || (empties && !isHarmlessDevice(target)));
}

function patched(command: SimpleCommand, git: GitCall | null, place: EffectPlace): readonly Effect[] {
  const name = programName(command.argv[0]);
  if (name !== 'apply_patch' && name !== 'patch' && git?.verb !== 'apply') return [];
  const { output } = command.input;
  const fed = output.kind === 'text' ? [output.text] : [];
  const given = name === 'apply_patch' ? splitArguments(command.argv.slice(1)).operands.map(fieldText) : [];
  return patchEffects([...fed, ...given], git?.cwds ?? command.cwds, place);
}

export function patchEffects(texts: readonly string[], cwds: Folders, place: EffectPlace): readonly Effect[] {
  return patchedPaths(texts).map(({ path, change }) =>
    pathEffect(change === 'delete' ? 'deletes' : 'writes', 'patch', exactField(path), cwds, place),
  );
}

function waits({ argv, input }: SimpleCommand, program: KnownProgram | undefined): boolean {
  if (input.fed) return false;
  const shell = shellCall(argv);
  if (shell !== null) return !shell.informs && shell.text === null && shell.file === null;
  const name = programName(argv[0]);
  const args = argv.slice(1);
  if (name === 'source' || name === '.') return args[0] !== undefined && FED_FILE.test(fieldText(args[0]));
  if (program?.prompt === undefined) return false;
  return typeof program.prompt === 'function'
    ? program.prompt(args)
    : asks(program, program.prompt, args, name);
}

function asks(program: KnownProgram, prompt: Prompt, args: readonly Field[], name: string): boolean {
  const leading = name !== 'ssh' && prompt.operands === undefined;
  const { flags, operands } = splitArguments(args, program.options, leading);
  const first = operands[0] === undefined ? '' : fieldText(operands[0]);
  if (prompt.asks !== undefined && hasFlag(flags, ...prompt.asks)) return true;
  if (/^i?python/.test(name) && flags.includes('-m')) return /^(?:pdb|code)$/.test(first);
  if (prompt.ends !== undefined && hasFlag(flags, ...prompt.ends)) return false;
  if (name === 'ssh' && first.startsWith('git@')) return false;
  const given = operands.filter((operand) => !FED_FILE.test(fieldText(operand)));
  return given.length <= (prompt.operands ?? 0);
}
