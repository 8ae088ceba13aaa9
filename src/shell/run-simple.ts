import type { Assignment, Command, SyntaxNode } from 'unbash';
import { programName } from './arguments.ts';
import { spendAll } from './budget.ts';
import { changeState } from './builtins.ts';
import { exactField, type Field, fieldText, joinFields, UNKNOWN } from './field.ts';
import { findCommands } from './find.ts';
import { type Output, UNKNOWN_OUTPUT } from './output.ts';
import { outputOf } from './outputs.ts';
import { flatWord, resolveWord, unsplitWord } from './resolve-words.ts';
import { copyState, limited, type ShellState, valuesOf } from './shell-state.ts';
import { parseScript } from './shell-syntax.ts';
import { FED_FILE, shellCall } from './shells.ts';
import { contextOf, note, readHereDoc, type Walk, type Walker } from './walk.ts';
import { xargsCommand } from './xargs.ts';

type BodyWalker = (body: SyntaxNode, walk: Walk) => Output;
type Walkers = { readonly script: Walker; readonly body: BodyWalker };

/** Shells and functions inside one another beyond this are not followed. */
const DEEPEST_NESTING = 8;

/** A command with its words, assignments and redirects: what it runs in its turn is walked too. */
export function runSimple(command: Command, outer: Walk, script: Walker, body: BodyWalker): Output {
  const walkers = { script, body };
  const context = contextOf(outer, script);
  const assigned = command.prefix.filter((each) => each.type === 'Assignment');
  const names = command.name === undefined ? [[]] : resolveWord(command.name, context);
  const args = command.args.flatMap((arg) =>
    arg.type === 'Assignment' ? assignmentArgument(arg, outer, script) : [...flatWord(arg, context)],
  );
  const input = command.redirects.reduce(
    (so, each) => readHereDoc(each, { ...outer, input: so }, script),
    outer.input,
  );
  const writes = command.redirects.flatMap((redirect) =>
    redirect.type === 'Redirect' && redirect.target !== undefined && !/^<&?$/.test(redirect.operator)
      ? unsplitWord(redirect.target, context)
      : [],
  );
  const walk = { ...outer, input };
  // Assignments in front of a command hold for that command alone.
  const before = new Map(outer.state.vars);
  for (const each of assigned) assign(each, outer, script);
  const outputs = names.map((name) => {
    const argv = [...name, ...args];
    const empties =
      isSilent(argv) && command.redirects.some((each) => each.operator === '>' || each.operator === '>|');
    note({ argv, writes, empties }, walk);
    return runArgv(argv, walk, walkers, true);
  });
  if (command.name !== undefined) {
    for (const { name } of assigned) {
      const value = before.get(name);
      if (value === undefined) outer.state.vars.delete(name);
      else outer.state.vars.set(name, value);
    }
  }
  return outputs.length === 1 ? (outputs[0] ?? UNKNOWN_OUTPUT) : UNKNOWN_OUTPUT;
}

/** Commands that print nothing: `> file` behind them leaves the file empty. */
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
    if (alias !== undefined && alias.split(/\s/)[0] !== name) {
      return runText(joined([exactField(alias), ...argv.slice(1)]), walk, walkers);
    }
    const bodies = walk.state.functions.get(name);
    if (bodies !== undefined) return callFunction(name, bodies, argv.slice(1), walk, walkers);
  }
  changeState(argv, walk.state, walk.input.output);
  runInner(argv, walk, walkers);
  return outputOf(argv, walk.input, walk.state, walk.root);
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
  // A function that calls itself continues with values that aren't known here.
  const times = walk.calls.filter((call) => call === name).length;
  if (walk.calls.length > DEEPEST_NESTING) spendAll(walk.reading.budget);
  if (times > 1 || walk.calls.length > DEEPEST_NESTING) return UNKNOWN_OUTPUT;
  state.arrays.set('@', times > 0 ? args.map(() => UNKNOWN) : args);
  const outputs = bodies.map((body) => walkers.body(body, { ...walk, calls: [...walk.calls, name] }));
  if (caller === undefined) state.arrays.delete('@');
  else state.arrays.set('@', caller);
  return outputs.length === 1 ? (outputs[0] ?? UNKNOWN_OUTPUT) : UNKNOWN_OUTPUT;
}

/** Commands and scripts that the command runs: behind a wrapper, in a shell, for each file found. */
function runInner(argv: readonly Field[], walk: Walk, walkers: Walkers): void {
  const name = programName(argv[0]);
  for (const inner of walk.reading.innerCommands(argv)) {
    if (inner.kind === 'argv') runPushed(inner.argv, surrounded(walk, inner.assigned, inner.cwd), walkers);
    else if (name === 'eval') runText(inner.text, walk, walkers);
    else
      runText(inner.text, { ...walk, state: inner.elsewhere ? elsewhere() : copyState(walk.state) }, walkers);
  }
  if (name === 'find') for (const command of findCommands(argv.slice(1))) runPushed(command, walk, walkers);
  if (name === 'xargs' || name === 'parallel') {
    for (const command of xargsCommand(argv, walk.input)) {
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
  if (shell === null) return;
  const words = shell.text === null ? shell.words : shell.words.slice(1);
  const inside = { ...walk, state: copyState(walk.state) };
  inside.state.arrays.set('@', words);
  if (shell.words[0] !== undefined) inside.state.vars.set('0', [shell.words[0]]);
  if (shell.text !== null) runText(shell.text, inside, walkers);
  else runFed(shell.file, inside, walkers);
}

/** What a shell reads from its input, or from `<(…)`. */
function runFed(file: Field | null, walk: Walk, walkers: Walkers): void {
  const name = file === null ? '' : fieldText(file);
  const { output } = name === '/dev/fd/63' ? { output: walk.reading.substituted } : walk.input;
  if (file !== null && name !== '/dev/fd/63' && !FED_FILE.test(name)) return;
  const fed = { ...walk, input: { fed: true, output: UNKNOWN_OUTPUT } };
  if (output.kind === 'text') runText(exactField(output.text), fed, walkers);
  if (output.kind === 'names') for (const field of output.fields) runText(field, fed, walkers);
}

function runPushed(argv: readonly Field[], walk: Walk, walkers: Walkers): void {
  note({ argv, writes: [], empties: false }, walk);
  runArgv(argv, { ...walk, nested: walk.nested + 1 }, walkers, false);
}

function runText(text: Field, walk: Walk, walkers: Walkers): Output {
  return walkers.script(parseScript(fieldText(text)), { ...walk, nested: walk.nested + 1 });
}

function joined(fields: readonly Field[]): Field {
  return fields.reduce((left, right) => joinFields(joinFields(left, exactField(' ')), right));
}

/** With the variables and the folder that a wrapper gives its command. */
function surrounded(walk: Walk, assigned: readonly Field[], folder: Field | undefined): Walk {
  if (assigned.length === 0 && folder === undefined) return walk;
  const state = copyState(walk.state);
  changeState([exactField('export'), ...assigned], state);
  if (folder !== undefined) changeState([exactField('cd'), folder], state);
  return { ...walk, state };
}

/** Another machine: none of its folders is the repository. */
function elsewhere(): ShellState {
  const home = '/another-machine/home';
  const vars = new Map([['HOME', [exactField(home)] as readonly Field[]]]);
  return { cwds: [home], folders: [], vars, arrays: new Map(), functions: new Map(), aliases: new Map() };
}

function assign(each: Assignment, walk: Walk, script: Walker): void {
  const context = contextOf(walk, script);
  const { state } = walk;
  if (each.value.type === 'ArrayValue') {
    const elements = each.value.elements.flatMap((word) => [...flatWord(word, context)]);
    const before = each.append === true ? (state.arrays.get(each.name) ?? []) : [];
    state.arrays.set(each.name, limited([...before, ...elements]));
    state.vars.set(each.name, limited([...before, ...elements]));
    return;
  }
  const values = unsplitWord(each.value, context);
  const whole =
    each.append === true
      ? valuesOf(state, each.name).flatMap((left) => values.map((right) => joinFields(left, right)))
      : values;
  state.vars.set(
    each.name,
    limited(each.index === undefined ? whole : [...valuesOf(state, each.name), ...whole]),
  );
}

/** `export A=b` sets the variable; to another command, such as `dd of=x`, it is a word. */
function assignmentArgument(each: Assignment, walk: Walk, script: Walker): readonly Field[] {
  const context = contextOf(walk, script);
  if (each.value.type === 'ArrayValue') {
    assign(each, walk, script);
    return [];
  }
  const values = unsplitWord(each.value, context);
  return values.map((value) => joinFields(exactField(`${each.name}=`), value));
}
