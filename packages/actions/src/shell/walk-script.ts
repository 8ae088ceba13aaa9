import type { CompoundCommand, ParsedScript, PipelineNode, Redirection, Statement, SyntaxNode } from 'unbash';
import { keepFile, writtenText } from './command-files.ts';
import { exactField, UNKNOWN } from './field.ts';
import { NO_OUTPUT, type Output, UNKNOWN_OUTPUT } from './output.ts';
import { runSimple, writtenTargets } from './run-simple.ts';
import { copyState, joinStates } from './shell-state.ts';
import { scriptsBelow, visitBelow } from './shell-syntax.ts';
import { contextOf, enter, note, readHereDoc, type Walk, type Walker } from './walk.ts';
import { flatWord } from './words/resolve-words.ts';

type Lists = readonly Statement[];

export const walkScript: Walker = (script: ParsedScript, walk: Walk): Output => {
  if ((script.errors?.length ?? 0) > 0) walk.reading.broken = true;
  return enter(walk, () => statements(script.commands, walk));
};

function statements(list: Lists, walk: Walk): Output {
  const printed = list.map((statement) =>
    node(statement.command, statement.background === true ? { ...walk, state: copyState(walk.state) } : walk),
  );
  const only = printed.filter((output) => !(output.kind === 'text' && output.text === ''));
  if (only.length === 1) return only[0] ?? UNKNOWN_OUTPUT;
  return printed.every((output) => output.kind === 'text')
    ? { kind: 'text', text: printed.map((output) => output.text).join('') }
    : UNKNOWN_OUTPUT;
}

function node(command: Statement['command'] | PipelineNode, walk: Walk): Output {
  return enter(walk, () => {
    switch (command.type) {
      case 'AndOr':
        return andOr(command, walk);
      case 'Pipeline':
        return pipeline(command, walk);
      case 'Command':
        return runSimple(command, walk, walkScript, walkBody);
      case 'Redirected':
        return redirected(command, walk);
      case 'Function': {
        const name = command.name.value;
        if (startsItselfTwice(command.body, name)) walk.reading.unread.push({ from: 'bomb', shown: name });
        walk.state.functions.set(name, [...(walk.state.functions.get(name) ?? []), command.body]);
        return NO_OUTPUT;
      }
      case 'Coproc':
        return walkBody(command.body, { ...walk, input: { fed: true, output: UNKNOWN_OUTPUT } });
      default:
        return compound(command, walk);
    }
  });
}

function walkBody(body: SyntaxNode, walk: Walk): Output {
  if (body.type === 'CompoundList') return statements(body.commands, walk);
  if (isRunnable(body)) return node(body, walk);
  return UNKNOWN_OUTPUT;
}

function isRunnable(body: SyntaxNode): body is PipelineNode {
  return /^(?:Command|Redirected|Function|Coproc|Pipeline|If|For|ArithmeticFor|Select|While|Subshell|BraceGroup|Case|TestCommand|ArithmeticCommand)$/.test(
    body.type,
  );
}

function andOr(list: Extract<Statement['command'], { type: 'AndOr' }>, walk: Walk): Output {
  const printed = list.commands.map((command, index) => {
    if (index === 0 || list.operators[index - 1] === '&&') return node(command, walk);
    // The command after `||` may not run.
    const skipped = copyState(walk.state);
    const output = node(command, walk);
    joinStates(walk.state, [skipped, copyState(walk.state)]);
    return output;
  });
  const texts = printed.filter((output) => !(output.kind === 'text' && output.text === ''));
  return texts.length === 1 ? (texts[0] ?? UNKNOWN_OUTPUT) : texts.length === 0 ? NO_OUTPUT : UNKNOWN_OUTPUT;
}

/** Each part runs in its own shell and reads the output of the part before it. */
function pipeline(list: Extract<PipelineNode, { type: 'Pipeline' }>, walk: Walk): Output {
  const [only] = list.commands;
  if (list.commands.length === 1 && only !== undefined) return node(only, walk);
  let input = walk.input;
  for (const command of list.commands) {
    const output = node(command, { ...walk, state: copyState(walk.state), input });
    const typed = !input.fed && passesOn(command);
    input = { fed: !typed, output };
  }
  return input.output;
}

const PASSES_ON = new Set(['cat', 'tee', 'base64', 'tr', 'rev', 'xxd', 'gunzip', 'zcat']);

/** Typed text passes through to the next command, as in `cat | sh`. */
function passesOn(command: PipelineNode): boolean {
  if (command.type !== 'Command') return false;
  const texts = command.args.map((arg) => arg.text);
  const reads = command.redirects.some((redirect) => /^<|<$/.test(redirect.operator));
  const name = command.name?.value ?? '';
  const own = /^(?:tee|tr)$/.test(name) ? [] : texts.filter((text) => !text.startsWith('-'));
  return !reads && PASSES_ON.has(name) && own.length === 0;
}

function redirected(command: Extract<PipelineNode, { type: 'Redirected' }>, walk: Walk): Output {
  const input = readRedirects(command.redirects, walk);
  const redirects = writtenTargets(command.redirects, contextOf(walk, walkScript));
  const writes = redirects.flatMap(({ targets }) => targets);
  const output = compound(command.command, { ...walk, input });
  if (writes.length > 0) {
    note({ argv: [], writes, empties: false }, { ...walk, input: { fed: true, output } });
  }
  for (const { targets, adds } of redirects) {
    for (const target of targets) keepFile(target, writtenText(output), walk, adds);
  }
  return output;
}

function readRedirects(redirects: readonly Redirection[], walk: Walk) {
  return redirects.reduce(
    (input, redirect) => readHereDoc(redirect, { ...walk, input }, walkScript),
    walk.input,
  );
}

function compound(command: CompoundCommand, walk: Walk): Output {
  switch (command.type) {
    case 'BraceGroup':
      return statements(command.body.commands, walk);
    case 'Subshell':
      return statements(command.body.commands, { ...walk, state: copyState(walk.state) });
    case 'If': {
      const parts = [command, ...command.elif];
      const ways = parts.map((part) => {
        statements(part.clause.commands, walk);
        return branch(part.then.commands, walk);
      });
      joinStates(walk.state, [...ways, branch(command.else?.commands ?? [], walk)]);
      return UNKNOWN_OUTPUT;
    }
    case 'Case':
      unused(command.word, walk);
      joinStates(walk.state, [
        copyState(walk.state),
        ...command.items.map((item) => {
          for (const pattern of item.pattern) unused(pattern, walk);
          return branch(item.body.commands, walk);
        }),
      ]);
      return UNKNOWN_OUTPUT;
    case 'While':
      return loop([...command.clause.commands, ...command.body.commands], walk, () => {});
    case 'For':
    case 'Select': {
      const listed = command.wordlist?.flatMap((word) => [...flatWord(word, contextOf(walk, walkScript))]);
      const values = listed ?? walk.state.arrays.get('@') ?? [UNKNOWN];
      const name = command.name.value;
      return loop(command.body.commands, walk, (inside) =>
        inside.state.vars.set(name, values.length > 0 ? values : [exactField('')]),
      );
    }
    case 'ArithmeticFor':
      for (const part of [command.initialize, command.test, command.update])
        if (part !== undefined) unused(part, walk);
      return loop(command.body.commands, walk, () => {});
    case 'TestCommand':
    case 'ArithmeticCommand':
      unused(command, walk);
      return NO_OUTPUT;
  }
}

function branch(list: Lists, walk: Walk) {
  const state = copyState(walk.state);
  statements(list, { ...walk, state });
  return state;
}

/** A loop is walked twice, as the second round sees the changes of the first. */
function loop(list: Lists, walk: Walk, begin: (walk: Walk) => void): Output {
  const before = copyState(walk.state);
  for (let round = 0; round < 2; round += 1) {
    begin(walk);
    statements(list, walk);
    joinStates(walk.state, [before, copyState(walk.state)]);
  }
  return UNKNOWN_OUTPUT;
}

function unused(below: SyntaxNode, walk: Walk): void {
  for (const script of scriptsBelow(below)) walkScript(script, { ...walk, state: copyState(walk.state) });
}

/** Each call starts more calls, as in `f() { f | f & }`. */
function startsItselfTwice(body: SyntaxNode, name: string): boolean {
  let starts = 0;
  let grows = false;
  const visit = (below: SyntaxNode): void => {
    if (below.type === 'Command' && below.name?.text === name) starts += 1;
    if (below.type === 'Pipeline' && below.commands.length > 1) grows = true;
    if (below.type === 'Statement' && below.background === true) grows = true;
    visitBelow(below, visit);
  };
  visit(body);
  return grows && starts > 1;
}
