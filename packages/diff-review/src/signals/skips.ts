import { type Idiom, TEST_CODE, TEST_LISTS } from 'ralph-ecosystems';
import { type Change, type Changes, excerpt } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, findComments, type Match, type Side } from '../lex/side.ts';
import { testAt } from '../tests/find-tests.ts';

export function skipSignals({ all }: Changes): readonly Signal[] {
  const files = all.filter(mayHoldTests);
  const removed = new Set(files.flatMap((change) => foundIn(change, 'before')));
  return files.flatMap((change) =>
    foundIn(change, 'after')
      .filter((one) => !isNetted(one, removed))
      .map((one) => signalOf(change, one)),
  );
}

function idiomsOf({ path, language: { name } }: Side): readonly Idiom[] {
  const inLists = TEST_LISTS.filter(({ files }) => files.test(path)).flatMap(({ idioms }) => idioms);
  return [...(TEST_CODE[name]?.idioms ?? []), ...inLists];
}

/** Rust has tests in source files. */
function mayHoldTests({ role, before, after, path }: Change): boolean {
  return (
    TEST_LISTS.some(({ files }) => files.test(path)) ||
    role === 'test' ||
    role === 'test_support' ||
    after.side.language.name === 'rust' ||
    before.tests.length + after.tests.length > 0
  );
}

type Found = {
  readonly match: Match;
  readonly idiom: Idiom;
  readonly test: string | null;
  readonly rest: string;
};

function foundIn(change: Change, which: 'before' | 'after'): Found[] {
  const { side, tests } = change[which];
  const other = change[which === 'before' ? 'after' : 'before'];
  const found: Found[] = [];
  for (const idiom of idiomsOf(side)) {
    const matches =
      idiom.comment === true ? findComments(side, idiom.pattern) : findCode(side, idiom.pattern);
    for (const match of matches) {
      if (!match.changed || found.some((one) => isSame(one, match, idiom))) continue;
      const test = testAt(tests, match.line)?.name ?? null;
      const isNew =
        test === null ? other.side.lines.length === 0 : !other.tests.some(({ name }) => name === test);
      if (idiom.group === true ? isNew : isHonest(match, side, { test, isNew }, change)) continue;
      found.push({ match, idiom, test, rest: withoutIdiom(side, match) });
    }
  }
  return found;
}

function isSame({ match, idiom }: Found, { line }: Match, { kind }: Idiom): boolean {
  return match.line === line && idiom.kind === kind;
}

type InTest = { readonly test: string | null; readonly isNew: boolean };

function isHonest(match: Match, side: Side, { test, isNew }: InTest, change: Change): boolean {
  const { text } = match;
  // Code of a feature isn't a test.
  if (/^#!?\[cfg\(feature/.test(text)) return isNew || (test === null && !text.startsWith('#!'));
  if (/^#!?\[cfg\((?=[^\n]*(?:target_|\bunix\b|\bwindows\b))/.test(text))
    return isNew || isMetOnLinux(text) !== false || test === null;
  if (/todo/.test(text) && (test === null || isNew) && isPlan(change, side, match.line)) return true;
  const source = side.lines[match.line]?.text ?? '';
  const above = side.lines[match.line - 1]?.text ?? '';
  if (isNew && /testing\.Short\(\)/.test(source + above)) return true;
  if (/^\s*#if\s+(?!false|0)\S/.test(above)) return true;
  if (isNew && /xfail\b.*strict\s*=\s*True/s.test(text)) return true;
  if (isNew && /should_panic|expectedFailure|fails\b|expected\s*=/.test(text)) return true;
  if (/go:build|\+build/.test(text)) return isBuilt(text, change);
  if (/@(?:Enabled|Disabled)On|Platform/.test(text))
    return isNew || (isMetOnLinux(text) ?? true) !== /Disabled|Skip/.test(text);
  if (/[rR]equires/.test(text)) return isNew || isMetOnLinux(text) === true;
  if (!isNew && /fixme/.test(text)) return false;
  const condition = conditionOf(match, side);
  return condition !== null && isNeeded(condition, isNew, side);
}

const NO_BUILD = /\b(?:ignore|never|disabled|skip\w*|broken|flaky)\b/;
const RARE_BUILD = /\b(?:integration|slow|e2e|manual|nightly|acceptance|long)\b/;

/** Returns whether the usual build on Linux meets a build constraint. A new file may be for a separate build. */
function isBuilt(text: string, { file }: Change): boolean {
  if (NO_BUILD.test(text)) return false;
  return file.oldPath === null || !(RARE_BUILD.test(text) || isMetOnLinux(text) === false);
}

/** Condition of a skip; `runs`: the test runs when it is met. */
type Condition = { readonly text: string; readonly runs: boolean };

const RUNS = /run_?if|unless|assum\w*\s*\(|enabled_?if|IfNot/i;

function conditionOf({ text, start, line }: Match, side: Side): Condition | null {
  const own =
    /\b(?:skip_?if|run_?if|skip_?unless|fixme|skip|Skip\.If(?:Not)?|XCTSkip(?:If|Unless)|assum\w*|EnabledIf|DisabledIf|cfg_attr|skip(?:When|Unless))\s*[(:=]\s*([\s\S]*)$/i.exec(
      side.code.slice(start, start + text.length + 200),
    )?.[1];
  const argument = own === undefined ? '' : firstArgument(own);
  if (argument !== '' && !/^(?:["'`][^"'`]*["'`]?$|reason\s*=(?!=)|\(|\)|async|function|\{)/.test(argument))
    return { text: argument, runs: RUNS.test(text) && !/assumeFalse/.test(text) };
  const source = side.lines[line]?.text ?? '';
  const chosen = /=\s*([^=?:][^?:\n]*?)\s*\?([^?:\n]*):[^?:\n]*$/.exec(source);
  if (chosen !== null) return { text: chosen[1] ?? '', runs: !/skip|todo/i.test(chosen[2] ?? '') };
  const behind = /\b(if|unless)\b\s+([^\n]*)$/.exec(
    source.slice(Math.max(source.search(/skip|pending/i), 0)),
  );
  if (behind !== null) return { text: behind[2] ?? '', runs: behind[1] === 'unless' };
  const above = /^\s*(?:\} else )?(if|unless|when|guard|switch|case)\b(.*)$/;
  const around = above.exec(source) ?? above.exec(side.lines[line - 1]?.text ?? '');
  return around === null
    ? null
    : { text: conditionIn(around[2] ?? ''), runs: /^(?:unless|guard)$/.test(around[1] ?? '') };
}

function conditionIn(text: string): string {
  return text.replace(/\s*(?:\{|:|\bthen\b|\bdo\b|\belse\s*\{)?\s*$/, '').replace(/\)\s+\S.*$/, ')');
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
 * Returns whether a condition asks for something that the test needs, such as a system or tool, and isn't always met. Only a new test may
 * depend on a variable, as an existing one ran without it.
 */
function isNeeded({ text, runs }: Condition, isNew: boolean, side: Side): boolean {
  const constant = /^[!\s(]*([A-Za-z_]\w*)[\s)]*$/.exec(text)?.[1];
  if (constant !== undefined && isConstant(constant, side)) return false;
  if (/^(?:fn|function)?\s*\(\s*\)\s*(?:=>|->)?\s*\{?\s*(?:return\s+)?(?:true|false)\b/.test(text))
    return false;
  if (/^[\s(!]*(?:true|True|false|False|0|1|nil|None|not True|any\(\))[\s){]*$/.test(text)) return false;
  if (/\bCI\b|GITHUB_ACTIONS|GITLAB|JENKINS|testing\.Short|\bfeature\b|\bSHORT\b|\bFAST\b/i.test(text))
    return false;
  const meant = `${text} ${definitions(text, side)}`;
  if (!isNew && (isMetOnLinux(meant) === !runs || (!runs && /["']chrom(?:e|ium)["']/.test(text))))
    return false;
  if (/\bflag\.Bool\(\s*"[^"]*",\s*false/.test(meant)) return false;
  if (!isNew && !OF_SYSTEM.test(meant)) return false;
  const environment = /\benv\b|environ|getenv|Getenv|ENV\[/.test(meant);
  return !environment || (isNew && /!|\bnot\b|=== undefined|== null|is None|is_none|unless|== ""/.test(text));
}

const LINUX = /linux|posix|\bunix|\bgnu\b/i;
const OTHER_SYSTEMS =
  /darwin|mac_?os|\bmac\b|osx|win32|windows|["'/^]win|is_?win|\bnt\b|cygwin|bsd\b|solaris|plan9|android|\bios\b|wasm/i;

/** Returns whether Linux meets a condition, as tests usually run there; `null` if it names no system. */
function isMetOnLinux(condition: string): boolean | null {
  const isLinux = LINUX.test(condition);
  if (!isLinux && !OTHER_SYSTEMS.test(condition)) return null;
  return isLinux !== /!|\bnot\b/.test(condition);
}

/** Words of systems, versions and tools. Any other condition on an existing test is a choice. */
const OF_SYSTEM =
  /platform|\bos\b|GOOS|GOARCH|runtime|arch|version|\bwin|darwin|linux|mac|posix|unix|android|ios|browser|webkit|firefox|chromium|jruby|pypy|which|find_spec|import|exist|command|docker|installed|available|support|capab|can[A-Z_]|has[A-Z_]|is[A-Z]\w*|root|uid|network|offline|gpu|cuda|\bcpu|memory|msrv|hosted|swift|java|node|python|ruby|php|env\b|environ|[gG]etenv|ENV\[/i;

function definitions(condition: string, { code }: Side): string {
  const names = condition.replace(/"[^"]*"|'[^']*'/g, '').match(/[A-Za-z_]\w{2,}/g) ?? [];
  return [...new Set(names)]
    .slice(0, 8)
    .flatMap(
      (name) => new RegExp(String.raw`\b${name}\b(?:\s*:\s*\w+)?\s*:?=(?!=)([^\n]*)`).exec(code)?.[1] ?? [],
    )
    .join(' ');
}

function isConstant(name: string, { code }: Side): boolean {
  const definition = String.raw`\b${name}\b\s*(?::\s*\w+\s*)?=\s*(?:true|false|True|False|0|1)\s*;?\s*$`;
  return new RegExp(definition, 'm').test(code);
}

function isPlan(change: Change, side: Side, line: number): boolean {
  const name = /["'`]([^"'`]*)["'`]/.exec(side.lines[line]?.text ?? '')?.[1];
  const isSuite = /\b(?:describe|suite|context)\b/.test(side.lines[line]?.text ?? '');
  if (isSuite && name !== undefined && change.before.side.text.includes(name)) return false;
  return change.before.tests.length === 0 || !change.before.tests.some((test) => test.name === name);
}

function withoutIdiom(side: Side, { line, text }: Match): string {
  return (side.lines[line]?.text ?? '').replace(text, '').replace(/\W+/g, ' ').trim();
}

function isNetted(one: Found, removed: Set<Found>): boolean {
  const before = [...removed].find(
    (other) =>
      other.idiom.kind === one.idiom.kind &&
      (one.test === null ? other.rest === one.rest : other.test === one.test),
  );
  return before !== undefined && removed.delete(before);
}

function signalOf(change: Change, { match, idiom: { kind, group }, test }: Found): Signal {
  const { side } = change.after;
  const isFocus = kind === 'focus_added';
  return {
    category: isFocus ? 'test_focus' : 'test_skip',
    kind,
    path: change.path,
    line: side.lines[match.line]?.number ?? 0,
    before: null,
    after: excerpt(side, match.line, match.lastLine),
    confidence: group === true ? 0.6 : 0.9,
    reason: isFocus
      ? `${named(test)} is focused, so that the others don't run`
      : group === true
        ? `${named(test)} is put in a group that the usual run may leave out`
        : `${named(test)} is skipped or expected to fail`,
    test,
  };
}

function named(test: string | null): string {
  return test === null ? 'A test' : `The test "${test}"`;
}
