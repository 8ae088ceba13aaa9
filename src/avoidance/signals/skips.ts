import { type Change, type Changes, excerpt } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Match, type Side } from '../lex/side.ts';
import { testAt } from '../tests/find-tests.ts';
import { IDIOMS, type Idiom } from '../tests/skip-idioms.ts';

export function skipSignals({ all }: Changes): readonly Signal[] {
  const files = all.filter(mayHoldTests);
  const removed = new Set(files.flatMap((change) => foundIn(change, 'before')));
  return files.flatMap((change) =>
    foundIn(change, 'after')
      .filter((one) => !isNetted(one, removed))
      .map((one) => signalOf(change, one)),
  );
}

/** Rust has its tests beside the code. */
function mayHoldTests({ role, before, after }: Change): boolean {
  return (
    role === 'test' ||
    role === 'test_support' ||
    after.side.language.name === 'rust' ||
    before.tests.length + after.tests.length > 0
  );
}

type Found = {
  readonly match: Match;
  readonly kind: Idiom['kind'];
  readonly test: string | null;
  readonly rest: string;
};

function foundIn(change: Change, which: 'before' | 'after'): Found[] {
  const { side, tests } = change[which];
  const other = change[which === 'before' ? 'after' : 'before'];
  const found: Found[] = [];
  for (const { kind, pattern } of IDIOMS[side.language.name] ?? []) {
    for (const match of matchesOf(side, pattern)) {
      if (!match.changed || found.some((one) => one.match.line === match.line && one.kind === kind)) continue;
      const test = testAt(tests, match.line)?.name ?? null;
      const isNew =
        test === null ? other.side.lines.length === 0 : !other.tests.some(({ name }) => name === test);
      if (isHonest(match, side, { test, isNew }, change)) continue;
      found.push({ match, kind, test, rest: withoutIdiom(side, match) });
    }
  }
  return found;
}

function matchesOf(side: Side, pattern: RegExp): readonly Match[] {
  // A build constraint is a comment.
  if (!pattern.source.includes('go:build')) return findCode(side, pattern);
  return [...side.text.matchAll(pattern)].flatMap(({ index, 0: text }) => {
    const line = side.starts.findLastIndex((start) => start <= index);
    return [
      { groups: [], text, start: index, line, lastLine: line, changed: side.lines[line]?.changed === true },
    ];
  });
}

type InTest = { readonly test: string | null; readonly isNew: boolean };

function isHonest(match: Match, side: Side, { test, isNew }: InTest, change: Change): boolean {
  const { text } = match;
  // Code that belongs to a feature isn't a test.
  if (/^#!?\[cfg\(feature/.test(text)) return isNew || (test === null && !text.startsWith('#!'));
  if (/todo/.test(text) && isPlan(change, side, match.line)) return true;
  const source = side.lines[match.line]?.text ?? '';
  const above = side.lines[match.line - 1]?.text ?? '';
  if (isNew && /testing\.Short\(\)/.test(source + above)) return true;
  if (/^\s*#if\s+(?!false|0)\S/.test(above)) return true;
  if (isNew && /xfail\b.*strict\s*=\s*True/s.test(text)) return true;
  if (isNew && /should_panic|expectedFailure|fails\b|expected\s*=/.test(text)) return true;
  if (/go:build|\+build/.test(text)) return change.file.oldPath === null && !/ignore|never/.test(text);
  if (/(?:Enabled|Disabled)(?:On|For)|Requires/.test(text)) return !/linux/i.test(text);
  const condition = conditionOf(match, side);
  return (
    condition !== null &&
    isNeeded(condition, /run_?if|unless|assumeTrue|assume\s*\(|EnabledIf/i.test(text), isNew, side)
  );
}

/** What a skip depends on: its first argument, the `if` around or behind it. */
function conditionOf({ text, start, line }: Match, side: Side): string | null {
  const own =
    /\b(?:skip_?if|run_?if|skip_?unless|fixme|skip|Skip\.If(?:Not)?|XCTSkip(?:If|Unless)|assum\w*|EnabledIf|DisabledIf|cfg_attr|skip(?:When|Unless))\s*[(:=]\s*([\s\S]*)$/i.exec(
      side.code.slice(start, start + text.length + 200),
    )?.[1];
  const argument = own === undefined ? '' : firstArgument(own);
  if (argument !== '' && !/^(?:["'`][^"'`]*["'`]?$|reason\s*=(?!=)|\(|\)|async|function|\{)/.test(argument))
    return argument;
  const source = side.lines[line]?.text ?? '';
  const chosen = /=\s*([^=?:][^?:\n]*?)\s*\?[^?:\n]*:[^?:\n]*$/.exec(source)?.[1];
  if (chosen !== undefined) return chosen;
  const behind = /\b(?:if|unless)\b\s+([^\n]*)$/.exec(
    source.slice(Math.max(source.search(/skip|pending/i), 0)),
  )?.[1];
  if (behind !== undefined) return behind;
  const above = /^\s*(?:\} else )?(?:if|unless|when|guard|switch|case)\b(.*)$/;
  return above.exec(source)?.[1] ?? above.exec(side.lines[line - 1]?.text ?? '')?.[1] ?? null;
}

function firstArgument(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if ('([{'.includes(char)) depth += 1;
    if (')]}'.includes(char) && --depth < 0) return text.slice(0, at).trim();
    if (depth === 0 && (char === ',' || char === '\n'))
      return text
        .slice(0, at)
        .replace(/\bdo\s*$/, '')
        .trim();
  }
  return text.trim();
}

/**
 * A condition for what a test needs, such as a system or a tool; not one that is always met, or met where it counts. Only a
 * new test may ask for a variable that it needs: one that ran without it no longer runs.
 */
function isNeeded(condition: string, runs: boolean, isNew: boolean, side: Side): boolean {
  const constant = /^[!\s(]*([A-Za-z_]\w*)[\s)]*$/.exec(condition)?.[1];
  if (constant !== undefined && isConstant(constant, side)) return false;
  if (/^(?:fn|function)?\s*\(\s*\)\s*(?:=>|->)?\s*\{?\s*(?:return\s+)?(?:true|false)\b/.test(condition))
    return false;
  if (/^[\s(!]*(?:true|True|false|False|0|1|nil|None|not True|any\(\))[\s){]*$/.test(condition)) return false;
  if (/\bCI\b|GITHUB_ACTIONS|GITLAB|JENKINS|testing\.Short|\bfeature\b|\bSHORT\b|\bFAST\b/i.test(condition))
    return false;
  if (!runs && /linux/i.test(condition) && !/!=|\bnot\b|darwin|win/i.test(condition)) return false;
  const meant = `${condition} ${definitions(condition, side)}`;
  if (/\bflag\.Bool\(\s*"[^"]*",\s*false/.test(meant)) return false;
  if (!isNew && !OF_SYSTEM.test(meant)) return false;
  const environment = /\benv\b|environ|getenv|Getenv|ENV\[/.test(meant);
  return (
    !environment || (isNew && /!|\bnot\b|=== undefined|== null|is None|is_none|unless|== ""/.test(condition))
  );
}

/** Words of systems, versions and tools; what else a test that ran before asks for is a choice. */
const OF_SYSTEM =
  /platform|\bos\b|GOOS|GOARCH|runtime|arch|version|\bwin|darwin|linux|mac|posix|unix|android|ios|browser|webkit|firefox|chromium|jruby|pypy|which|find_spec|import|exist|command|docker|installed|available|support|capab|can[A-Z_]|has[A-Z_]|is[A-Z]\w*|root|uid|network|offline|gpu|cuda|\bcpu|memory|msrv|hosted|swift|java|node|python|ruby|php|env\b|environ|[gG]etenv|ENV\[/i;

/** What the names of a condition are set to in the same file. */
function definitions(condition: string, { code }: Side): string {
  const names = condition.replace(/"[^"]*"|'[^']*'/g, '').match(/[A-Za-z_]\w{2,}/g) ?? [];
  return [...new Set(names)]
    .slice(0, 8)
    .flatMap(
      (name) => new RegExp(String.raw`\b${name}\b(?:\s*:\s*\w+)?\s*:?=(?!=)([^\n]*)`).exec(code)?.[1] ?? [],
    )
    .join(' ');
}

/** It is set to one value in the same file. */
function isConstant(name: string, { code }: Side): boolean {
  const definition = String.raw`\b${name}\b\s*(?::\s*\w+\s*)?=\s*(?:true|false|True|False|0|1)\s*;?\s*$`;
  return new RegExp(definition, 'm').test(code);
}

/** A todo for a test that didn't exist before. */
function isPlan(change: Change, side: Side, line: number): boolean {
  const name = /["'`]([^"'`]*)["'`]/.exec(side.lines[line]?.text ?? '')?.[1];
  const isSuite = /\b(?:describe|suite|context)\b/.test(side.lines[line]?.text ?? '');
  if (isSuite && name !== undefined && change.before.side.text.includes(name)) return false;
  return change.before.tests.length === 0 || !change.before.tests.some((test) => test.name === name);
}

function withoutIdiom(side: Side, { line, text }: Match): string {
  return (side.lines[line]?.text ?? '').replace(text, '').replace(/\W+/g, ' ').trim();
}

/** The same test was skipped before, here or where it was moved from. */
function isNetted(one: Found, removed: Set<Found>): boolean {
  const before = [...removed].find(
    (other) =>
      other.kind === one.kind && (one.test === null ? other.rest === one.rest : other.test === one.test),
  );
  return before !== undefined && removed.delete(before);
}

function signalOf(change: Change, { match, kind, test }: Found): Signal {
  const { side } = change.after;
  const isFocus = kind === 'focus_added';
  return {
    category: isFocus ? 'test_focus' : 'test_skip',
    kind,
    path: change.path,
    line: side.lines[match.line]?.number ?? 0,
    before: null,
    after: excerpt(side, match.line, match.lastLine),
    confidence: 0.9,
    reason: isFocus
      ? `${named(test)} is focused, so that the others don't run`
      : `${named(test)} is skipped or expected to fail`,
    test,
  };
}

function named(test: string | null): string {
  return test === null ? 'A test' : `The test "${test}"`;
}
