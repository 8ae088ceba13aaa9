import { type Command, Help, type Option } from 'commander';
import type { CompletionKind } from '../../app/commands/completion-names.ts';
import { formatsOf, fullName } from '../call.ts';

export type Candidate = { readonly value: string; readonly description: string };

export type Completion = {
  readonly words: readonly Candidate[];
  /** Kind of names from the records that complete the word, besides `words`; `null`: none. */
  readonly kind: CompletionKind | null;
  /** Whether names of files complete the word, too. */
  readonly files: boolean;
  readonly typed: string;
  /** Text before each value in the same word: `--task=`. */
  readonly prefix: string;
};

/** Kind of value by name of the argument or option. The command is added if the name alone is ambiguous. */
const VALUES: Readonly<Record<string, CompletionKind | 'file'>> = {
  'ralph answer task': 'blocked',
  'ralph approvals id': 'approval',
  'ralph checkpoints id': 'checkpoint',
  'ralph checkpoints other': 'checkpoint',
  'ralph diff what': 'task',
  'ralph do --files': 'file',
  'ralph eval compare a': 'file',
  'ralph eval compare b': 'file',
  'ralph gates names': 'gate',
  'ralph hook install agent': 'agent',
  'ralph hook remove agent': 'agent',
  'ralph incidents id': 'incident',
  'ralph lessons drop key': 'lesson',
  'ralph logs what': 'task',
  'ralph plan accept id': 'proposal',
  'ralph plan drop id': 'proposal',
  'ralph plan idea': 'file',
  'ralph queue retry task': 'blocked',
  'ralph resume id': 'incident',
  'ralph rollback id': 'checkpoint',
  'ralph tasks edit id': 'task',
  'ralph tasks split id': 'task',
  'ralph unblock tasks': 'blocked',
  '--agent': 'agent',
  '--depends-on': 'task',
  '--task': 'task',
  ids: 'task',
  run: 'run',
  task: 'task',
  worker: 'worker',
  'ralph verify --criteria': 'file',
  'ralph verify --report': 'file',
  'ralph verify --sarif': 'file',
  'ralph verify --markdown': 'file',
  'ralph verify --receipt': 'file',
  'ralph verify --check': 'file',
  'ralph verify --signers': 'file',
  'ralph verify --sign': 'file',
  '--batch': 'file',
  '--cwd': 'file',
  '--html': 'file',
  '--ignored': 'file',
  '--keep': 'file',
  '--key': 'file',
  '--list': 'file',
  '--out': 'file',
  '--path': 'file',
  dirs: 'file',
  file: 'file',
  suite: 'file',
};

/** Returns the kind of value that a command's argument or option takes; `null`: free text. */
export function valuesOf(command: Command, name: string): CompletionKind | 'file' | null {
  return VALUES[`${fullName(command)} ${name}`] ?? VALUES[name] ?? null;
}

/**
 * Returns the completion.
 * @param words Words of the shell after `ralph`. The last one is at the cursor.
 */
export function complete(program: Command, words: readonly string[]): Completion {
  const { before: typedBefore, word, isSplit } = atCursor(words);
  let command = program;
  let position = 0;
  let waiting: Option | null = null;
  let onlyArguments = false;
  for (const one of typedBefore) {
    if (waiting !== null && (waiting.required || !one.startsWith('-'))) {
      waiting = null;
      continue;
    }
    waiting = null;
    if (one === '--') onlyArguments = true;
    else if (one.startsWith('-') && !onlyArguments) {
      const option = optionOf(command, one.replace(/=.*/s, ''));
      if (option !== null && takesValue(option) && !one.includes('=')) waiting = option;
    } else {
      const below: Command | undefined =
        position === 0 ? command.commands.find((sub) => sub.name() === one) : undefined;
      if (below === undefined) position += 1;
      else command = below;
    }
  }
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  if (name !== '' && !onlyArguments) {
    const option = optionOf(command, name);
    return option === null ? nothing(value) : ofOption(command, option, value, isSplit ? '' : `${name}=`);
  }
  if (waiting?.required) return ofOption(command, waiting, word, '');
  if (word.startsWith('-') && !onlyArguments) return { ...nothing(word), words: optionsOf(command) };
  const optional = waiting === null ? nothing(word) : ofOption(command, waiting, word, '');
  const argument = command.registeredArguments[position] ?? lastOfMany(command);
  const completion =
    argument === undefined
      ? nothing(word)
      : ofValues(command, argument.name(), argument.argChoices, word, '');
  return {
    ...completion,
    words: [...(position === 0 ? below(command) : []), ...completion.words, ...optional.words],
    files: completion.files || optional.files,
  };
}

/** bash splits words at `=`, so it passes `--task`, `=`, `T-1`. */
function atCursor(words: readonly string[]) {
  const [last = '', sign, option] = words.toReversed();
  if (sign === '=' && option?.startsWith('--') === true)
    return { before: words.slice(0, -3), word: `${option}=${last}`, isSplit: true };
  return { before: words.slice(0, -1), word: last, isSplit: false };
}

function ofOption(command: Command, option: Option, typed: string, before: string): Completion {
  const name = option.long ?? option.flags;
  return ofValues(command, name, name === '--format' ? formatsOf(command) : option.argChoices, typed, before);
}

function ofValues(
  command: Command,
  name: string,
  choices: readonly string[] | undefined,
  typed: string,
  before: string,
): Completion {
  if (choices !== undefined)
    return { ...nothing(typed, before), words: choices.map((value) => ({ value, description: '' })) };
  const values = valuesOf(command, name);
  const isFile = values === 'file';
  return { ...nothing(typed, before), files: isFile, kind: isFile ? null : values };
}

function nothing(typed: string, prefix = ''): Completion {
  return { words: [], kind: null, files: false, typed, prefix };
}

function below(command: Command): Candidate[] {
  // Completion offers all commands, not only the short list of `ralph --help`.
  return new Help()
    .visibleCommands(command)
    .map((sub) => ({ value: sub.name(), description: sub.summary() || sub.description() }));
}

function optionsOf(command: Command): Candidate[] {
  const chain = command.parent === null ? [command] : [command, rootOf(command)];
  return chain.flatMap((one) =>
    one
      .createHelp()
      .visibleOptions(one)
      .map((option) => ({ value: option.long ?? option.flags, description: option.description }))
      .filter(({ value }) => one === command || value !== '--help'),
  );
}

function optionOf(command: Command, word: string): Option | null {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const found = at.options.find(({ long, short }) => long === word || short === word);
    if (found !== undefined) return found;
  }
  return null;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function lastOfMany(command: Command) {
  const last = command.registeredArguments.at(-1);
  return last?.variadic === true ? last : undefined;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
