import type { ParsedScript, Redirection } from 'unbash';
import { exactField, type Field, fieldText } from './field.ts';
import type { Input, Output } from './output.ts';
import { UNKNOWN_OUTPUT } from './output.ts';
import { resolveText, resolveWord, unsplitWord } from './resolve-words.ts';
import { copyState, type ShellState } from './shell-state.ts';
import { scriptsBelow } from './shell-syntax.ts';
import type { SimpleCommand } from './simple-command.ts';
import type { WordContext } from './word-context.ts';

/** What going through a script finds; one for all the scripts inside it. */
export type ScriptReading = {
  readonly commands: SimpleCommand[];
  /** Something was no shell, or went on for too long: there may be commands that were not found. */
  broken: boolean;
  visited: number;
  depth: number;
  /** What the last `<(…)` prints. */
  substituted: Output;
};

export type Walk = {
  readonly reading: ScriptReading;
  readonly state: ShellState;
  readonly input: Input;
  readonly root: string;
  /** How many shells inside shells, and functions inside functions. */
  readonly nested: number;
  /** Functions that are being called, the outermost first. */
  readonly calls: readonly string[];
};

export type Walker = (script: ParsedScript, walk: Walk) => Output;

/** Ordinary scripts stay far below: what is longer or deeper is not followed to its end. */
const MOST_VISITS = 4000;
const DEEPEST = 220;

/** Goes one step deeper, unless the script has used up what a review may take. */
export function enter(walk: Walk, step: () => Output): Output {
  const { reading } = walk;
  reading.visited += 1;
  if (reading.visited > MOST_VISITS || reading.depth > DEEPEST) {
    reading.broken = true;
    return UNKNOWN_OUTPUT;
  }
  reading.depth += 1;
  const output = step();
  reading.depth -= 1;
  return output;
}

export function contextOf(walk: Walk, walkScript: Walker): WordContext {
  const run = (script: ParsedScript): Output => {
    const output = walkScript(script, { ...walk, state: copyState(walk.state) });
    walk.reading.substituted = output;
    return output;
  };
  const context: WordContext = {
    state: walk.state,
    run,
    runBelow: (node) => {
      for (const script of scriptsBelow(node)) run(script);
    },
    resolve: (word) => resolveWord(word, context),
  };
  return context;
}

/** What a command reads once the redirect is made; other redirects than of its input change nothing. */
export function readHereDoc(redirect: Redirection, walk: Walk, walkScript: Walker): Input {
  const context = contextOf(walk, walkScript);
  switch (redirect.type) {
    case 'HereDoc': {
      const { parts, text } = redirect.body;
      return fed(parts === undefined ? exactField(text) : resolveText(parts, context));
    }
    case 'HereString': {
      const [value = exactField('')] =
        redirect.target === undefined ? [] : unsplitWord(redirect.target, context);
      return fed(value);
    }
    case 'Redirect': {
      if (redirect.operator !== '<' || redirect.target === undefined) return walk.input;
      walk.reading.substituted = UNKNOWN_OUTPUT;
      const [source] = unsplitWord(redirect.target, context);
      const name = source === undefined ? '' : fieldText(source);
      if (/^\/dev\/(?:tty|stdin|fd\/0)$/.test(name)) return walk.input;
      return { fed: true, output: name === '/dev/fd/63' ? walk.reading.substituted : UNKNOWN_OUTPUT };
    }
  }
}

function fed(value: Field): Input {
  return { fed: true, output: { kind: 'text', text: fieldText(value) } };
}
