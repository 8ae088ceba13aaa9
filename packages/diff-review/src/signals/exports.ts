import type { LanguageName } from 'ralph-ecosystems';
import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, lineAt, type Match, type Side } from '../lex/side.ts';
import { blockEnd } from '../tests/find-tests.ts';
import { type Sign, signalAt } from './sign.ts';

const REMOVED: Sign = {
  category: 'feature_removal',
  kind: 'export_removed',
  confidence: 0.65,
  reason: 'Something that others can call is gone',
};
/** Public definitions. The first defined group is the name. */
const EXPORTS: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  js: /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|enum)\s+(\w+)|^(?:module\.)?exports\.(\w+)\s*=|^[ \t]*(?:app|router|server|fastify|api)\.(?:get|post|put|patch|delete)\s*\(\s*["'`]([^"'`]+)|\.(?:command|option)\s*\(\s*["'`]([^"'`]+)/gm,
  python:
    /^(?:async\s+)?(?:def|class)\s+([a-zA-Z]\w*)|^[ \t]{4}def\s+([a-z]\w*)\s*\(\s*(?:self|cls)|^[ \t]*@\w+\.(?:route|get|post|put|delete|command)\s*\(\s*["']([^"']+)|(?:\badd_argument|@click\.(?:option|argument)|\.add_parser|^[ \t]*(?:re_)?path)\s*\(\s*["']([^"']+)/gm,
  go: /^func\s+(?:\([^)]*\)\s*)?([A-Z]\w*)|^type\s+([A-Z]\w*)|\.(?:HandleFunc|Handle|GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\s*\(\s*"([^"]+)/gm,
  rust: /^[ \t]*pub(?:\([^)]*\))?\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait)\s+(\w+)|\.route\s*\(\s*"([^"]+)|#\[(?:get|post|put|patch|delete)\("([^"]+)/gm,
  java: /^[ \t]*public\s+(?:(?:static|final|abstract|synchronized|default)\s+)*(?:<[^>]*>\s*)?(?:class|interface|enum|record|[\w<>[\], ?.]+)\s+(\w+)\s*[({<]|@(?:Get|Post|Put|Delete|Request)Mapping\s*\(\s*"([^"]+)/gm,
  kotlin:
    /^[ \t]*(?:public\s+|open\s+|override\s+|suspend\s+|data\s+)*(?:fun|class|object|interface)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)|^[ \t]*(?:get|post|put|patch|delete|webSocket)\s*\(\s*"([^"]+)"\s*\)|@(?:Get|Post|Put|Patch|Delete|Request)Mapping\s*\(\s*"([^"]+)/gm,
  csharp:
    /^[ \t]*public\s+(?:(?:static|virtual|override|sealed|abstract|async|partial)\s+)*[\w<>[\],?. ]+\s+(\w+)\s*[({<]|\[Http(?:Get|Post|Put|Patch|Delete)\("([^"]+)|\.Map(?:Get|Post|Put|Patch|Delete)\s*\(\s*"([^"]+)/gm,
  ruby: /^[ \t]*def\s+(?:self\.)?(\w+[?!]?)|^[ \t]*(?:get|post|put|delete|resources)\s+["':]([\w/:-]+)/gm,
  php: /^[ \t]*(?:public\s+)?(?:static\s+)?function\s+(\w+)|(?:Route::\w+|\$(?:app|router|group)->(?:get|post|put|patch|delete))\s*\(\s*["']([^"']+)/gm,
  swift: /^[ \t]*(?:public|open|internal)?\s*(?:static\s+|class\s+)?func\s+(\w+)/gm,
  elixir: /^[ \t]*def\s+(\w+[?!]?)/gm,
  scala: /^[ \t]*def\s+(\w+)/gm,
  dart: /^(?:\w[\w<>?]*\s+)(\w+)\s*\([^;]*\)\s*(?:async\s*)?(?:\{|=>)/gm,
};

const PASSES_ON =
  /^\s*(?:import\b|from\b.*\bimport\b|export\s*(?:type\s*)?[{*]|(?:pub\s+)?use\b|require\b|using\b|module\.exports\s*=|(?:type\s+)?\w+(?:\s+as\s+\w+)?,?\s*$)/;

export function exportSignals({ all }: Changes): readonly Signal[] {
  const offered = offeredBy(all);
  return all.filter(({ role }) => role === 'source').flatMap((change) => removedExports(change, offered));
}

type Offered = {
  /** `now` has the names that the new versions define, `words` all words that they use. */
  readonly now: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly callers: ReadonlyMap<string, readonly { readonly side: Side; readonly line: number }[]>;
  /** Words and strings in changed lines of tests, in lower case. */
  readonly tested: string;
  readonly mostlyRemoved: boolean;
};

function offeredBy(all: readonly Change[]): Offered {
  const sources = all.filter(({ role }) => role === 'source' || role === 'test_support');
  const callers = new Map<string, { side: Side; line: number }[]>();
  for (const { before } of sources) {
    for (const { text, line } of changedWords(before.side)) {
      if (PASSES_ON.test(before.side.lines[line]?.text ?? '')) continue;
      const places = callers.get(text) ?? [];
      places.push({ side: before.side, line });
      callers.set(text, places);
    }
  }
  const tests = all.filter(({ role, before }) => role === 'test' || before.tests.length > 0);
  const tested = tests.flatMap(({ before: { side } }) =>
    side.tokens
      .filter(({ kind, start }) => kind !== 'punct' && side.lines[lineAt(side, start)]?.changed === true)
      .map(({ text }) => text.toLowerCase()),
  );
  return {
    now: new Set(sources.flatMap(({ after }) => names(after.side, true).map(nameOf))),
    words: new Set(
      sources.flatMap(({ after }) =>
        after.side.tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text),
      ),
    ),
    callers,
    tested: `\n${[...new Set(tested)].join('\n')}\n`,
    mostlyRemoved: isMostlyRemoval(sources),
  };
}

function changedWords(side: Side): readonly { readonly text: string; readonly line: number }[] {
  return side.tokens.flatMap(({ kind, text, start }) => {
    if (kind !== 'word') return [];
    const line = lineAt(side, start);
    return side.lines[line]?.changed === true ? [{ text, line }] : [];
  });
}

function names(side: Side, all: boolean): readonly Match[] {
  const pattern = EXPORTS[side.language.name];
  return pattern === undefined
    ? []
    : findCode(side, pattern).filter(({ line }) => all || side.lines[line]?.changed === true);
}

/** Returns the name, for a route with its method, so that `delete /users/:id` differs from `get /users/:id`. */
function nameOf({ text, groups }: Match): string {
  const name = groups.slice(1).find((group) => group !== undefined) ?? '';
  const verb = /\b(get|post|put|patch|delete)(?:Mapping)?\b[\s("'`]*\/?/i.exec(text)?.[1];
  return verb === undefined || !/["'`]/.test(text) ? name : `${verb.toLowerCase()} ${name}`;
}

/** Returns signals for public names that are gone without replacement, while tests and callers stay and nothing else uses them. */
function removedExports(change: Change, offered: Offered): readonly Signal[] {
  if (!offered.mostlyRemoved) return [];
  const { side } = change.before;
  const before = new Set(names(side, true).map(nameOf));
  const fresh = names(change.after.side, false).filter((match) => !before.has(nameOf(match)));
  const gone = names(side, false).filter(
    (match) => nameOf(match) !== '' && !offered.now.has(nameOf(match)) && !offered.words.has(nameOf(match)),
  );
  // A decorator belongs to the function below it.
  const tested = new Set(
    gone.filter((match) => isNamedInTests(nameOf(match), offered)).map(({ line }) => line),
  );
  const isTested = ({ line }: Match): boolean => [line - 1, line, line + 1].some((one) => tested.has(one));
  return gone
    .slice(fresh.length)
    .filter((match) => !/^_/.test(nameOf(match)) && !isTested(match) && !hasLostCallers(match, side, offered))
    .map(({ line }) => signalAt(change, side, line, line, REMOVED));
}

/** Languages with an explicit keyword or form for public definitions. */
const SAYS_SO: ReadonlySet<LanguageName> = new Set(['js', 'go', 'rust', 'java', 'csharp']);

/**
 * Returns signals for exports, commands and routes that a change removes, with or without their tests, for a human gate. Renamed and moved
 * names don't count, nor those removed with their callers or from a rewritten file.
 */
export function removedFeatures({ all }: Changes): readonly Signal[] {
  const offered = offeredBy(all);
  return all
    .filter((change) => change.role === 'source' && isMostlyRemoval([change]))
    .flatMap((change) => {
      const { side } = change.before;
      const before = new Set(names(side, true).map(nameOf));
      const fresh = names(change.after.side, false).filter((match) => !before.has(nameOf(match)));
      return names(side, false)
        .filter((match) => {
          const name = nameOf(match);
          const isFor = SAYS_SO.has(side.language.name) || /["'`]/.test(match.text);
          return isFor && /^[^_]/.test(name) && !offered.now.has(name) && !offered.words.has(name);
        })
        .slice(fresh.length)
        .filter((match) => /["'`]/.test(match.text) || !hasLostCallers(match, side, offered))
        .map(({ line }) => signalAt(change, side, line, line, REMOVED));
    });
}

function hasLostCallers(match: Match, own: Side, { callers }: Offered): boolean {
  const to = blockEnd(own, match.line);
  return (callers.get(nameOf(match)) ?? []).some(
    ({ side, line }) => side !== own || line < match.line || line > to,
  );
}

function isNamedInTests(name: string, { tested }: Offered): boolean {
  const bare = name.replace(/^\w+ (?=\S)/, '').toLowerCase();
  return tested.includes(bare.length > 4 ? bare : `\n${bare}\n`);
}

/** Returns whether at most half as many lines are added as removed; otherwise the code was replaced. */
function isMostlyRemoval(sources: readonly Change[]): boolean {
  const count = (which: 'before' | 'after') =>
    sources.flatMap((change) =>
      change[which].side.lines.filter(({ changed, text }) => changed && /\w/.test(text)),
    ).length;
  return count('after') * 2 <= count('before');
}
