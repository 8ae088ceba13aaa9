import { type Field, fieldText, programName, type SimpleCommand, shownField } from '../../shell/index.ts';
import type { Effect } from '../effect.ts';

/** A call as words, for programs whose effects follow from their words. */
export type Words = {
  readonly name: string;
  /** All arguments, separated by blanks. */
  readonly line: string;
  /** Arguments that aren't options, separated by blanks. */
  readonly verbs: string;
  /** `line` and `verbs` without leading options and their possible values. */
  readonly bare: { readonly line: string; readonly verbs: string };
  readonly args: readonly Field[];
  readonly shown: string;
};

/** A rule for calls whose words match. The first matching rule of a program counts. */
export type WordRule = {
  /** Names of programs, separated by blanks. */
  readonly programs: string;
  /** Has to match `verbs` of the call. */
  readonly verbs?: RegExp;
  /** Has to match `line` of the call. */
  readonly line?: RegExp;
  readonly unless?: RegExp;
  readonly does: (words: Words) => Effect;
};

/** Characters of a command line that are read; the rest of a longer one is ignored. */
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
  // A quoted text counts as one word.
  const verbs = own
    .filter((arg) => !arg.head.startsWith('-'))
    .map((arg) => fieldText(arg).replace(/\s+/g, '\u00b7'));
  return { line: joined(args.map(fieldText)), verbs: joined(verbs) };
}

/** Returns the index of the first word when each leading option takes a value: `aws --profile x s3 rb`. */
function bareStart(args: readonly Field[]): number {
  let at = 0;
  while (at < args.length && args[at]?.head.startsWith('-')) {
    const valued = !args[at]?.head.includes('=') && args[at + 1]?.head.startsWith('-') === false;
    at += valued ? 2 : 1;
  }
  return at;
}

const DRY =
  /(?:^|\s)(?:--dry-?run(?:=(?!none|false)\S+)?|--check|--what-?if|--?help|--simulate|--just-print|--no-act)(?:\s|$)|^--version(?:\s|$)|\s--version$|^help(?:\s|$)|^-h$/;

export function isDry({ name, line }: Words): boolean {
  // In a database client, `-h` names the host.
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
  kind: 'disables',
  by: name,
  shown,
  what: 'protection',
});
export const skipsHooks = ({ name, shown }: Words): Effect => ({
  kind: 'disables',
  by: name,
  shown,
  what: 'hooks',
});
export const lastingRights = ({ name, shown }: Words): Effect => ({
  kind: 'privileges',
  by: name,
  shown,
  how: 'lasting',
});
