import type { ParsedScript, Redirection } from 'unbash';
import { type Budget, spend, spendAll } from './budget.ts';
import type { CommandFiles } from './command-files.ts';
import { filesOutput } from './command-files.ts';
import { DOWNLOADED_MARK, exactField, type Field, fieldText } from './field.ts';
import type { Programs } from './inner.ts';
import type { Input, Output } from './output.ts';
import { UNKNOWN_OUTPUT, withSources } from './output.ts';
import { copyState, type ShellState } from './shell-state.ts';
import { scriptsBelow } from './shell-syntax.ts';
import type { SimpleCommand, UnreadText } from './simple-command.ts';
import { resolveText, resolveWord, unsplitWord } from './words/resolve-words.ts';
import type { WordContext } from './words/word-context.ts';

/** Results of walking a script, shared by all scripts inside it. */
export type ScriptReading = {
  readonly commands: SimpleCommand[];
  /** Some text wasn't valid shell, so more commands may exist. */
  broken: boolean;
  readonly budget: Budget;
  readonly programs: Programs;
  readonly files: CommandFiles;
  readonly unread: UnreadText[];
  /** Runs of `trap` when their shell ends. */
  readonly traps: (() => void)[];
  depth: number;
  /** Output of the last `<(…)`. */
  substituted: Output;
};

export type Walk = {
  readonly reading: ScriptReading;
  readonly state: ShellState;
  readonly input: Input;
  readonly root: string;
  /** Container in which the script runs, on other files. */
  readonly contained: SimpleCommand['contained'];
  readonly nested: number;
  readonly calls: readonly string[];
};

export type Walker = (script: ParsedScript, walk: Walk) => Output;

/**
 * Steps of the review's budget: `NODE_COST` for a node, `WORD_COST` for a word and for each `..` in it, as links have to be followed there.
 */
const NODE_COST = 8;
const WORD_COST = 3;
/** Variables that cost one step of the review's budget. */
const VARIABLES = 4;
/** Bounds the nesting of a script. Ordinary scripts stay far below. */
const DEEPEST = 220;

/** Walks one level deeper, unless the budget is used up. */
export function enter(walk: Walk, step: () => Output): Output {
  const { reading } = walk;
  if (reading.depth > DEEPEST) spendAll(reading.budget);
  if (!spend(reading.budget, NODE_COST + walk.state.vars.size / VARIABLES)) return UNKNOWN_OUTPUT;
  reading.depth += 1;
  const output = step();
  reading.depth -= 1;
  return output;
}

export function note(found: Pick<SimpleCommand, 'argv' | 'writes' | 'empties'>, walk: Walk): void {
  const { cwds, vars } = walk.state;
  const { reading } = walk;
  const cost = [...found.argv, ...found.writes].reduce((sum, word) => sum + costOf(fieldText(word)), 0);
  if (!spend(reading.budget, cost * cwds.length)) return;
  const git = { workTrees: vars.get('GIT_WORK_TREE') ?? [], otherFolder: vars.has('GIT_DIR') };
  const environment = [...vars].filter(([name]) => reading.programs.runsVariable(name));
  reading.commands.push({
    ...found,
    cwds,
    input: walk.input,
    git,
    environment,
    contained: walk.contained,
    substituted: reading.substituted,
  });
}

function costOf(word: string): number {
  const parents = word.includes('..') ? word.split('..').length : 1;
  return (parents + word.length / 640) * WORD_COST;
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
    spend: (steps) => spend(walk.reading.budget, steps),
  };
  return context;
}

/** Returns the input after a redirect. Redirects of outputs don't change it. */
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
      if (name === '/dev/fd/63') return { fed: true, output: walk.reading.substituted };
      if (/^\/dev\/(?:tcp|udp)\//.test(name)) {
        return { fed: true, output: withSources(UNKNOWN_OUTPUT, DOWNLOADED_MARK) };
      }
      return { fed: true, output: source === undefined ? UNKNOWN_OUTPUT : filesOutput([source], walk) };
    }
  }
}

function fed(value: Field): Input {
  return { fed: true, output: { kind: 'text', text: fieldText(value) } };
}
