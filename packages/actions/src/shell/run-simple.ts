import type { Command, Redirection, SyntaxNode, Word } from 'unbash';
import { programName } from './arguments.ts';
import { argumentFields, assign } from './assignments.ts';
import { spend, spendAll } from './budget.ts';
import { changeState } from './builtins.ts';
import { filesOutput, keepFile, keepProduced, textsOf, writtenText } from './command-files.ts';
import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  joinFields,
  SECRET_MARK,
  sourcesIn,
  UNKNOWN,
} from './field.ts';
import { findCommands } from './find.ts';
import type { Elsewhere } from './inner.ts';
import { type Output, sourcesOf, UNKNOWN_OUTPUT, withSources } from './output.ts';
import { outputOf } from './outputs.ts';
import { copyState, joinStates } from './shell-state.ts';
import { parseScript, parsingSteps } from './shell-syntax.ts';
import { FED_FILE, shellCall } from './shells.ts';
import { contextOf, note, readHereDoc, type Walk, type Walker } from './walk.ts';
import { resolveWord, unsplitWord } from './words/resolve-words.ts';
import type { WordContext } from './words/word-context.ts';
import { argFile, xargsCommand } from './xargs.ts';

type BodyWalker = (body: SyntaxNode, walk: Walk) => Output;
type Walkers = { readonly script: Walker; readonly body: BodyWalker };

/** Bounds shells and functions inside one another; deeper ones aren't followed. */
const DEEPEST_NESTING = 8;

export function runSimple(command: Command, outer: Walk, script: Walker, body: BodyWalker): Output {
  const walkers = { script, body };
  const input = command.redirects.reduce(
    (so, each) => readHereDoc(each, { ...outer, input: so }, script),
    outer.input,
  );
  const walk = { ...outer, input };
  const context = contextOf(walk, script);
  const assigned = command.prefix.filter((each) => each.type === 'Assignment');
  const names = command.name === undefined ? [[]] : commandWords(command.name, context);
  const args = argumentFields(command.args, outer, script, context);
  const redirects = writtenTargets(command.redirects, context);
  const writes = redirects.flatMap(({ targets }) => targets);
  // Assignments in front of a command apply to that command only.
  const before = assigned.map(({ name }) => [name, outer.state.vars.get(name)] as const);
  for (const each of assigned) assign(each, outer, script);
  const outputs = names.map((name) => {
    const argv = [...name, ...args];
    const empties =
      isSilent(argv) && command.redirects.some((each) => each.operator === '>' || each.operator === '>|');
    note({ argv, writes, empties }, walk);
    return runArgv(argv, walk, walkers, true);
  });
  // `$(< FILE)` prints the file.
  const prints = command.name === undefined && command.redirects.some(({ operator }) => operator === '<');
  const only = outputs.length === 1 ? (outputs[0] ?? UNKNOWN_OUTPUT) : UNKNOWN_OUTPUT;
  const output = prints ? readable(walk) : only;
  for (const redirect of command.redirects)
    feedTarget(redirect, { ...outer, input: { fed: true, output } }, script);
  for (const { targets, adds } of redirects) {
    for (const target of targets) keepFile(target, writtenText(output), walk, adds);
  }
  if (command.name !== undefined) {
    for (const [name, value] of before) {
      if (value === undefined) outer.state.vars.delete(name);
      else outer.state.vars.set(name, value);
    }
  }
  return output;
}

/** Braces as a command name, such as `{rm,-rf,x}`, are its words in a row; each alternative may be meant alone, too. */
function commandWords(name: Word, context: WordContext): readonly (readonly Field[])[] {
  const ways = resolveWord(name, context);
  return name.parts?.some((part) => part.type === 'BraceExpansion') ? [ways.flat(), ...ways] : ways;
}

/** The command in `> >(command)` reads the output. */
function feedTarget(redirect: Redirection, walk: Walk, script: Walker): void {
  if (redirect.type !== 'Redirect' || !redirect.operator.includes('>')) return;
  const { target } = redirect;
  if (target?.parts?.some((part) => part.type === 'ProcessSubstitution'))
    unsplitWord(target, contextOf(walk, script));
}

type Written = { readonly targets: readonly Field[]; readonly adds: boolean };

export function writtenTargets(redirects: readonly Redirection[], context: WordContext): readonly Written[] {
  return redirects.flatMap((redirect) =>
    redirect.type === 'Redirect' && redirect.target !== undefined && !/^<&?$/.test(redirect.operator)
      ? [{ targets: unsplitWord(redirect.target, context), adds: redirect.operator.endsWith('>>') }]
      : [],
  );
}

/** Returns whether a command prints nothing, so that `> FILE` empties the file. */
function isSilent(argv: readonly Field[]): boolean {
  if (argv.length > 2) return false;
  const text = argv.map(fieldText).join(' ');
  return /^(?:|:|true|cat \/dev\/null|echo -n|printf ?)$/.test(text);
}

function runArgv(argv: readonly Field[], walk: Walk, walkers: Walkers, asTyped: boolean): Output {
  const name = programName(argv[0]);
  if (walk.nested > DEEPEST_NESTING) {
    spendAll(walk.reading.budget);
    return UNKNOWN_OUTPUT;
  }
  if (asTyped && name !== '') {
    const alias = walk.state.aliases.get(name);
    if (alias !== undefined) return callAlias(name, alias, argv.slice(1), walk, walkers);
    const bodies = walk.state.functions.get(name);
    if (bodies !== undefined) return callFunction(name, bodies, argv.slice(1), walk, walkers);
  }
  const [word] = argv;
  const called = word === undefined ? '' : fieldText(word);
  // The parser takes the pipe in `BASH_ENV=<(…) command` for the command.
  if (called === '/dev/fd/63') runFed(word ?? null, walk, walkers);
  const text = called === '/dev/fd/63' ? sourcesOf(walk.reading.substituted) : called;
  const from = sourcesIn(text).replace(SECRET_MARK, '');
  if (from !== '')
    walk.reading.unread.push({ from: from.includes(DOWNLOADED_MARK) ? 'download' : 'unknown', shown: '' });
  changeState(argv, walk.state, readable(walk));
  runInner(argv, walk, walkers);
  keepProduced(argv, walk);
  return printed(argv, walk);
}

/** Returns the text that `read` gets; for an unknown file, the source of its text. */
function readable({ input, reading }: Walk): Output {
  const { output } = input;
  if (output.kind !== 'files') return output;
  return withSources(output, sourcesIn(reading.programs.prints([exactField('cat'), ...output.fields])));
}

/** Characters through a filter that cost one step of the review's budget. */
const FILTERED = 40;

function printed(argv: readonly Field[], walk: Walk): Output {
  const { programs, budget } = walk.reading;
  const name = programName(argv[0]);
  const fedText = walk.input.output.kind === 'text' ? walk.input.output.text.length : 0;
  if (!spend(budget, fedText / FILTERED)) return UNKNOWN_OUTPUT;
  const files = argv.slice(1).filter((arg) => !arg.head.startsWith('-'));
  const reads = name === 'cat' && files.length > 0 && argv.length === files.length + 1;
  const output = reads ? filesOutput(files, walk) : outputOf(argv, walk.input, walk.state, walk.root);
  if (output.kind === 'names') return output;
  const held = output.kind === 'text' ? '' : files.flatMap((file) => textsOf(file, walk)).join('');
  const sources =
    argv
      .slice(1)
      .map((arg) => arg.tail)
      .join('') + held;
  const fed = output.kind === 'text' ? '' : sourcesOf(readable(walk));
  return withSources(output, sourcesIn(sources + fed + programs.prints(argv)));
}

/** Within an alias, its own name means the program. */
function callAlias(name: string, text: string, args: readonly Field[], walk: Walk, walkers: Walkers): Output {
  const { aliases } = walk.state;
  aliases.delete(name);
  const output = runText(joined([exactField(text), ...args]), walk, walkers);
  aliases.set(name, text);
  return output;
}

function callFunction(
  name: string,
  bodies: readonly SyntaxNode[],
  args: readonly Field[],
  walk: Walk,
  walkers: Walkers,
): Output {
  const { state } = walk;
  const caller = state.arrays.get('@');
  // A recursive function continues with unknown arguments.
  const times = walk.calls.filter((call) => call === name).length;
  if (walk.calls.length > DEEPEST_NESTING) spendAll(walk.reading.budget);
  if (times > 1 || walk.calls.length > DEEPEST_NESTING) return UNKNOWN_OUTPUT;
  state.arrays.set('@', times > 0 ? args.map(() => UNKNOWN) : args);
  const outputs = bodies.map((body) => walkers.body(body, { ...walk, calls: [...walk.calls, name] }));
  if (caller === undefined) state.arrays.delete('@');
  else state.arrays.set('@', caller);
  return outputs.length === 1 ? (outputs[0] ?? UNKNOWN_OUTPUT) : UNKNOWN_OUTPUT;
}

function runInner(argv: readonly Field[], walk: Walk, walkers: Walkers): void {
  const name = programName(argv[0]);
  for (const inner of walk.reading.programs.inner(argv)) {
    if (inner.kind === 'fed') {
      if (walk.input.fed)
        runFed(null, inner.elsewhere ? elsewhere(walk, inner.elsewhere) : walk, walkers, inner.read);
    } else if (inner.kind === 'argv') {
      const around = inner.elsewhere ? elsewhere(walk, inner.elsewhere) : walk;
      runPushed(inner.argv, surrounded(around, inner.assigned, inner.cwd), walkers);
    } else if (inner.atEnd) runAtEnd(inner.text, walk, walkers);
    else if (name === 'eval') runText(inner.text, walk, walkers);
    else
      runText(
        inner.text,
        inner.elsewhere ? elsewhere(walk, inner.elsewhere) : { ...walk, state: copyState(walk.state) },
        walkers,
      );
  }
  if (name === 'find') for (const command of findCommands(argv.slice(1))) runPushed(command, walk, walkers);
  if (name === 'xargs' || name === 'parallel' || name === 'rush') {
    const file = argFile(argv);
    const given = file === undefined ? walk.input : { fed: true, output: filesOutput([file], walk) };
    const output = readable({ ...walk, input: given });
    for (const command of xargsCommand(argv, { ...walk.input, output })) {
      runPushed(command, { ...walk, input: { fed: true, output: UNKNOWN_OUTPUT } }, walkers);
    }
  }
  if (name === 'source' || name === '.') runFed(argv[1] ?? null, walk, walkers);
  if (name === 'at' || name === 'batch') runFed(null, walk, walkers);
  if (name === 'crontab' && walk.input.output.kind === 'text') {
    const lines = walk.input.output.text.replace(/^[ \t]*(?:@\w+|(?:\S+[ \t]+){4}\S+)[ \t]/gm, '');
    runText(exactField(lines), { ...walk, input: { fed: true, output: UNKNOWN_OUTPUT } }, walkers);
  }
  const shell = shellCall(argv);
  if (shell === null) {
    const [program] = argv;
    if (program?.kind === 'exact' && program.head.includes('/'))
      runProgramFile(program, argv.slice(1), walk, walkers);
    return;
  }
  const words = shell.text === null && shell.file === null ? shell.words : shell.words.slice(1);
  const inside = { ...walk, state: copyState(walk.state) };
  inside.state.arrays.set('@', words);
  if (shell.words[0] !== undefined) inside.state.vars.set('0', [shell.words[0]]);
  if (shell.startup !== null) runFed(shell.startup, inside, walkers);
  if (shell.text !== null) runText(shell.text, inside, walkers);
  else runFed(shell.file, inside, walkers);
}

function runFed(file: Field | null, walk: Walk, walkers: Walkers, read = (text: string) => text): void {
  const name = file === null ? '' : fieldText(file);
  const inside = { ...walk, input: { fed: true, output: UNKNOWN_OUTPUT } };
  if (/^\/dev\/(?:tcp|udp)\//.test(name)) walk.reading.unread.push({ from: 'download', shown: name });
  if (file !== null && name !== '/dev/fd/63' && !FED_FILE.test(name)) {
    runFile(file, walk, walkers);
    return;
  }
  const output = name === '/dev/fd/63' ? walk.reading.substituted : walk.input.output;
  if (output.kind === 'text') runText(exactField(read(output.text)), inside, walkers);
  if (output.kind === 'names') for (const field of output.fields) runText(field, inside, walkers);
  if (output.kind === 'files') for (const each of output.fields) runFile(each, inside, walkers);
  const fed = name === '/dev/fd/63' || walk.input.fed;
  if (output.kind === 'unknown' && fed) walk.reading.unread.push({ from: 'unknown', shown: '' });
}

function runFile(file: Field, walk: Walk, walkers: Walkers): void {
  for (const text of textsOf(file, walk)) runText(exactScript(text), walk, walkers);
}

/** A file such as `./x.sh` is read by a shell unless its first line names another interpreter. */
function runProgramFile(file: Field, args: readonly Field[], walk: Walk, walkers: Walkers): void {
  const inside = { ...walk, state: copyState(walk.state) };
  inside.state.arrays.set('@', args);
  for (const text of textsOf(file, walk)) {
    if (/^(?!#!)|^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text)) runText(exactScript(text), inside, walkers);
  }
}

/** The text of a script may be longer than `LONGEST_WORD`. */
function exactScript(text: string): Field {
  return { kind: 'exact', head: text, tail: '' };
}

function runPushed(argv: readonly Field[], walk: Walk, walkers: Walkers): void {
  note({ argv, writes: [], empties: false }, walk);
  runArgv(argv, { ...walk, nested: walk.nested + 1 }, walkers, false);
}

/** Matches an unknown text where a command begins. */
const COMMAND_FROM_ELSEWHERE = /(?:^|[;&|\n({`]|\b(?:then|do|else)\s)\s*\uE000*[\uE003\uE005]/;

function runText(text: Field, walk: Walk, walkers: Walkers): Output {
  const script = fieldText(text);
  const { reading } = walk;
  if (COMMAND_FROM_ELSEWHERE.test(script)) {
    const from = sourcesIn(script).includes(DOWNLOADED_MARK) ? 'download' : 'unknown';
    reading.unread.push({ from, shown: '' });
  }
  if (!spend(reading.budget, parsingSteps(script))) return UNKNOWN_OUTPUT;
  return walkers.script(parseScript(script), { ...walk, nested: walk.nested + 1 });
}

/** When a shell ends, its variables may have any of their values since the trap was set. */
function runAtEnd(text: Field, walk: Walk, walkers: Walkers): void {
  const before = copyState(walk.state);
  walk.reading.traps.push(() => {
    const state = copyState(walk.state);
    for (const [name, values] of state.vars) if (!before.vars.has(name)) before.vars.set(name, values);
    joinStates(state, [before, copyState(state)]);
    runText(text, { ...walk, state }, walkers);
  });
}

function joined(fields: readonly Field[]): Field {
  return fields.reduce((left, right) => joinFields(joinFields(left, exactField(' ')), right));
}

function surrounded(walk: Walk, assigned: readonly Field[], folder: Field | undefined): Walk {
  if (assigned.length === 0 && folder === undefined) return walk;
  const state = copyState(walk.state);
  changeState([exactField('export'), ...assigned], state);
  if (folder !== undefined) changeState([exactField('cd'), folder], state);
  return { ...walk, state };
}

function elsewhere(walk: Walk, where: Elsewhere): Walk {
  const home = '/another-machine/home';
  const vars = new Map([['HOME', [exactField(home)] as readonly Field[]]]);
  const nothing = { folders: [], arrays: new Map(), functions: new Map(), aliases: new Map() };
  const container = where === 'machine' ? null : where;
  const state = { ...nothing, vars, cwds: [container?.workdir ?? home] };
  return { ...walk, state, contained: walk.contained ?? container };
}
