import { type Field, fieldText, programName, type SimpleCommand, shownField } from '../../shell/index.ts';
import type { Effect } from '../effect.ts';

/** A call as words, for programs of which is known what their words do. */
export type Words = {
  readonly name: string;
  /** All arguments, with a blank between them. */
  readonly line: string;
  /** Those that are no options. */
  readonly verbs: string;
  /** The same without the options in front of the first word, and what may be their values. */
  readonly bare: { readonly line: string; readonly verbs: string };
  readonly args: readonly Field[];
  readonly shown: string;
};

/** What a call does where its words fit; the first that fits speaks. */
export type WordRule = {
  /** Names of programs, with a blank between them. */
  readonly programs: string;
  /** Fits the operands. */
  readonly verbs?: RegExp;
  /** Fits the whole line. */
  readonly line?: RegExp;
  readonly unless?: RegExp;
  readonly does: (words: Words) => Effect;
};

/** Of longer lines only the beginning is read, in characters. */
const LONGEST = 4000;

export function wordsOf({ argv }: Pick<SimpleCommand, 'argv'>): Words {
  const args = argv.slice(1);
  const end = args.findIndex((arg) => fieldText(arg) === '--');
  const own = end < 0 ? args : args.slice(0, end);
  const start = bareStart(args);
  return {
    name: programName(argv[0]),
    args,
    ...spoken(args, own),
    bare: start === 0 ? NOTHING_SPOKEN : spoken(args.slice(start), own.slice(start)),
    shown: argv.map(shownField).join(' ').slice(0, 120),
  };
}

const NOTHING_SPOKEN = { line: '', verbs: '' };

function spoken(args: readonly Field[], own: readonly Field[]) {
  const joined = (texts: readonly string[]) => texts.join(' ').slice(0, LONGEST);
  // A text in quotes is one word, whatever it speaks of.
  const verbs = own
    .filter((arg) => !arg.head.startsWith('-'))
    .map((arg) => fieldText(arg).replace(/\s+/g, '\u00b7'));
  return { line: joined(args.map(fieldText)), verbs: joined(verbs) };
}

/** Where the words of a call begin, if each option in front of them has a value: `aws --profile x s3 rb`. */
function bareStart(args: readonly Field[]): number {
  let at = 0;
  while (at < args.length && args[at]?.head.startsWith('-')) {
    const valued = !args[at]?.head.includes('=') && args[at + 1]?.head.startsWith('-') === false;
    at += valued ? 2 : 1;
  }
  return at;
}

/** Calls that only say what they would do. */
const DRY =
  /(?:^|\s)(?:--dry-?run(?:=(?!none|false)\S+)?|--check|--what-?if|--?help|--simulate|--just-print|--no-act)(?:\s|$)|^--version(?:\s|$)|\s--version$|^help(?:\s|$)|^-h$/;

export function isDry({ name, line }: Words): boolean {
  // In a client of a database, `-h` names the host.
  if (
    /^(?:psql|mysql|mariadb|redis-cli|mongosh?|clickhouse-client|pg_\w+|dropdb|createdb|mysqladmin)$/.test(
      name,
    )
  ) {
    return /(?:^|\s)--help(?:\s|$)/.test(line);
  }
  return DRY.test(line);
}

export function byProgram(rules: readonly WordRule[]): ReadonlyMap<string, readonly WordRule[]> {
  const found = new Map<string, WordRule[]>();
  for (const rule of rules) {
    for (const name of rule.programs.split(' ')) found.set(name, [...(found.get(name) ?? []), rule]);
  }
  return found;
}

export function fits(rule: WordRule, words: Words): boolean {
  const { unless } = rule;
  if (unless?.test(words.line) || (words.bare.line !== '' && unless?.test(words.bare.line))) return false;
  return says(rule, words) || (words.bare.line !== '' && says(rule, words.bare));
}

function says({ verbs, line }: WordRule, words: Pick<Words, 'verbs' | 'line'>): boolean {
  return (verbs === undefined || verbs.test(words.verbs)) && (line === undefined || line.test(words.line));
}

export const destroys =
  (what: 'database' | 'remote' | 'local' | 'disk') =>
  ({ name, shown }: Words): Effect => ({ kind: 'destroys', by: name, shown, what });

export const publishes = ({ name, shown }: Words): Effect => ({ kind: 'publishes', by: name, shown });
export const system = ({ name, shown }: Words): Effect => ({ kind: 'system', by: name, shown });
export const schedules = ({ name, shown }: Words): Effect => ({ kind: 'schedules', by: name, shown });
export const opensShell = ({ name, shown }: Words): Effect => ({ kind: 'opens_shell', by: name, shown });
export const goesAround = ({ name, shown }: Words): Effect => ({
  ...{ kind: 'disables', by: name, shown, what: 'protection' },
});
export const skipsHooks = ({ name, shown }: Words): Effect => ({
  ...{ kind: 'disables', by: name, shown, what: 'hooks' },
});
export const lastingRights = ({ name, shown }: Words): Effect => ({
  ...{ kind: 'privileges', by: name, shown, how: 'lasting' },
});
