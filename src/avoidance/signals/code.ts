import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import type { LanguageName } from '../lex/languages.ts';
import { findCode, lineAt, type Match, type Side } from '../lex/side.ts';
import { blockEnd, indentOf } from '../tests/find-tests.ts';
import { addedMatches, type Sign, signalAt } from './sign.ts';

const REMOVED: Sign = {
  category: 'feature_removal',
  kind: 'export_removed',
  confidence: 0.65,
  reason: 'Something that others can call is gone',
};
const STUB: Sign = {
  category: 'stub_completion',
  kind: 'stub',
  confidence: 0.8,
  reason: 'A body says that it is not implemented, or does nothing',
};
const SWALLOWED: Sign = {
  category: 'error_swallowing',
  kind: 'error_swallowed',
  confidence: 0.8,
  reason: 'An error is caught or dropped, and nothing is done about it',
};

/** Definitions that others can use; the name is the first group. */
const EXPORTS: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  js: /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|enum)\s+(\w+)|^(?:module\.)?exports\.(\w+)\s*=|^[ \t]*(?:app|router|server|fastify|api)\.(?:get|post|put|patch|delete)\s*\(\s*["'`]([^"'`]+)|\.(?:command|option)\s*\(\s*["'`]([^"'`]+)/gm,
  python:
    /^(?:async\s+)?(?:def|class)\s+([a-zA-Z]\w*)|^[ \t]{4}def\s+([a-z]\w*)\s*\(\s*(?:self|cls)|^[ \t]*@\w+\.(?:route|get|post|put|delete|command)\s*\(\s*["']([^"']+)|\badd_argument\s*\(\s*["']([^"']+)/gm,
  go: /^func\s+(?:\([^)]*\)\s*)?([A-Z]\w*)|^type\s+([A-Z]\w*)|\.(?:HandleFunc|Handle|GET|POST|PUT|DELETE)\s*\(\s*"([^"]+)/gm,
  rust: /^[ \t]*pub(?:\([^)]*\))?\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait)\s+(\w+)/gm,
  java: /^[ \t]*public\s+(?:(?:static|final|abstract|synchronized|default)\s+)*(?:<[^>]*>\s*)?(?:class|interface|enum|record|[\w<>[\], ?.]+)\s+(\w+)\s*[({<]|@(?:Get|Post|Put|Delete|Request)Mapping\s*\(\s*"([^"]+)/gm,
  kotlin:
    /^[ \t]*(?:public\s+|open\s+|override\s+|suspend\s+|data\s+)*(?:fun|class|object|interface)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)/gm,
  csharp:
    /^[ \t]*public\s+(?:(?:static|virtual|override|sealed|abstract|async|partial)\s+)*[\w<>[\],?. ]+\s+(\w+)\s*[({<]|\[Http(?:Get|Post|Put|Delete)\("([^"]+)/gm,
  ruby: /^[ \t]*def\s+(?:self\.)?(\w+[?!]?)|^[ \t]*(?:get|post|put|delete|resources)\s+["':]([\w/:-]+)/gm,
  php: /^[ \t]*(?:public\s+)?(?:static\s+)?function\s+(\w+)|Route::\w+\s*\(\s*["']([^"']+)/gm,
  swift: /^[ \t]*(?:public|open|internal)?\s*(?:static\s+|class\s+)?func\s+(\w+)/gm,
  elixir: /^[ \t]*def\s+(\w+[?!]?)/gm,
  scala: /^[ \t]*def\s+(\w+)/gm,
  dart: /^(?:\w[\w<>?]*\s+)(\w+)\s*\([^;]*\)\s*(?:async\s*)?(?:\{|=>)/gm,
};

/** A body that says of itself that it isn't one. */
const NOT_IMPLEMENTED =
  /\bthrow\s+(?:new\s+)?\w*(?:Error|Exception)?\s*\(\s*["'`][^"'`\n]*(?:not\s+(?:yet\s+)?implemented|unimplemented|TODO|implement me|coming soon|not supported yet)[^\n]*|\bthrow\s+(?:new\s+)?(?:NotImplemented\w*|UnimplementedError|UnsupportedOperationException)\b|\braise\s+NotImplementedError\b|\b(?:todo|unimplemented)!\s*\(|(?<![\w.])TODO\s*\(|\bpanic!?\s*\(\s*(?:errors\.New\()?"[^"\n]*(?:not (?:yet )?implemented|unimplemented|todo)|\b(?:fatalError|preconditionFailure|abort|die|raise|errors\.New|fmt\.Errorf)\s*\(?\s*["'][^"'\n]*(?:not (?:yet )?implemented|unimplemented|TODO)|\?\?\?|\bNotImplementedException\b/gi;
/** Definitions with their body, for what is in it. */
const BODIES =
  /^([ \t]*)(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|async\s+|override\s+|final\s+|open\s+)*(?:function\*?|def|func|fn|fun|void|int|string|bool|boolean|[A-Z]\w*)\s+(?:\([^)]*\)\s*)?\w+[?!]?\s*(?:<[^>]*>)?\s*\([^\n]*\)?[^\n]*(?:\{|:|=>|$)/gm;

const SWALLOWS: readonly RegExp[] = [
  /\bcatch\s*(?:\([^)]*\)|\w+)?\s*\{\s*;?\s*\}/g,
  /\bexcept\b[ \t]*:[ \t]*(?:pass|\.\.\.|continue)?[ \t]*(?:\n[ \t]*(?:pass|\.\.\.|continue)\b)?/g,
  /\bexcept[ \t]*\(?[ \t]*(?:Exception|BaseException)\b[^:\n]*:\s*(?:pass|\.\.\.|continue|return(?:[ \t]+[^\n]*)?)[ \t]*$/gm,
  /\b(?:contextlib\.)?suppress\s*\(\s*(?:Exception|BaseException)\b/g,
  /\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|\[\]|false|true|0|''|""|\(\{\}\)|void 0)?\s*\)|\.catch\s*\(\s*(?:noop|function\s*\(\w*\)\s*\{\s*\})\s*\)/g,
  /^[ \t]*rescue\b[^\n]*\n(?:[ \t]*nil\s*\n)?[ \t]*end\b|\brescue\s+(?:nil|false|0|\[\]|'')\s*$/gm,
  /^[ \t]*(?:_|[\w.]+,\s*_)\s*(?::=|=)\s*[\w.]+\([^\n]*\)[ \t]*$|\bif\s+err\s*!=\s*nil\s*\{\s*\}/gm,
  /^[ \t]*let\s+_\s*=\s*[\w.:]+\([^\n]*\)\s*;|\.ok\(\)\s*;|\bErr\(_\)\s*=>\s*(?:\{\s*\}|\(\))/gm,
  /\bcatch\s*(?:\(\s*(?:final\s+)?(?:Exception|Throwable|RuntimeException|Error|\\?Exception|\\?Throwable|_|e|err|error|ex)?\s*\$?\w*(?:\s*:\s*\w+)?\s*\))?\s*\{\s*return(?:\s+(?:null|false|true|0|''|""|\[\]|\{\}|undefined|nil|None|Optional\.empty\(\)))?\s*;?\s*\}/g,
  /\bcatch\s*\(\s*\.\.\.\s*\)\s*\{\s*\}|\btry\?\s+\w|^[ \t]*rescue\s*(?:_|e)?\s*(?:->|=>)\s*(?:nil|:ok|:error)\b/gm,
  /^[ \t]*On Error Resume Next|\$ErrorActionPreference\s*=\s*["']SilentlyContinue/gm,
];

/** What production code lost, left open or hides. */
export function codeSignals(changes: Changes): readonly Signal[] {
  return changes.all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => [
      ...removedExports(change, changes),
      ...stubs(change),
      ...emptied(change),
      ...swallowed(change),
    ]);
}

function names(side: Side, all: boolean): readonly Match[] {
  const pattern = EXPORTS[side.language.name];
  return pattern === undefined
    ? []
    : findCode(side, pattern).filter(({ line }) => all || side.lines[line]?.changed === true);
}

const nameOf = ({ groups }: Match): string => groups.slice(1).find((group) => group !== undefined) ?? '';

/** Gone without another of its kind in its place, without its tests, and used nowhere else in the diff. */
function removedExports(change: Change, { all }: Changes): readonly Signal[] {
  const { side } = change.before;
  const sources = all.filter(({ role }) => role === 'source' || role === 'test_support');
  const now = sources.flatMap(({ after }) => names(after.side, true).map(nameOf));
  const words = new Set(
    sources.flatMap(({ after }) =>
      after.side.tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text),
    ),
  );
  const before = new Set(names(side, true).map(nameOf));
  const fresh = names(change.after.side, false).filter((match) => !before.has(nameOf(match)));
  if (!isMostlyRemoval(sources)) return [];
  const gone = names(side, false).filter(
    (match) => nameOf(match) !== '' && !now.includes(nameOf(match)) && !words.has(nameOf(match)),
  );
  const tested = (name: string) =>
    all.some(
      ({ role, before: old }) =>
        (role === 'test' || old.tests.length > 0) &&
        old.side.tokens.some(
          ({ text, start }) => text === name && old.side.lines[lineAt(old.side, start)]?.changed === true,
        ),
    );
  return gone
    .slice(fresh.length)
    .filter((match) => !/^_/.test(nameOf(match)) && !tested(nameOf(match)))
    .map(({ line }) => signalAt(change, side, line, line, REMOVED));
}

/** Where as much is written as removed, what is gone was replaced. */
function isMostlyRemoval(sources: readonly Change[]): boolean {
  const count = (which: 'before' | 'after') =>
    sources.flatMap((change) =>
      change[which].side.lines.filter(({ changed, text }) => changed && /\w/.test(text)),
    ).length;
  return count('after') * 4 <= count('before');
}

function stubs(change: Change): readonly Signal[] {
  const { side } = change.after;
  return addedMatches(change, NOT_IMPLEMENTED)
    .filter(({ line }) => !isAbstract(side, line))
    .map(({ line }) => signalAt(change, side, line, line, STUB));
}

/** In a class that others are to derive from, or under an annotation that says so. */
function isAbstract(side: Side, line: number): boolean {
  const indent = indentOf(side.lines[line]?.text ?? '');
  const above = side.lines
    .slice(0, line)
    .filter(({ text }) => indentOf(text) < indent)
    .map(({ text }) => text);
  const owner = above.findLast((text) => /\b(?:class|interface|protocol|trait|module)\b/.test(text)) ?? '';
  return (
    /abstract|Base|Abstract|Interface|Protocol|ABC|Mixin|interface|protocol|trait/.test(owner) ||
    above.slice(-3).some((text) => /@(?:\w+\.)?abstract|@overload/.test(text))
  );
}

/** Definitions whose body became nothing, or begins as nothing but a note. */
function emptied(change: Change): readonly Signal[] {
  const { side } = change.after;
  return findCode(side, BODIES).flatMap(({ line }) => {
    const to = blockEnd(side, line);
    const body = bodyLines(side, line, to);
    const changed = side.lines.slice(line + 1, to + 1).some((one) => one.changed);
    if (!changed || isAbstract(side, line + 1)) return [];
    const comments = side.text.slice(side.starts[line], side.starts[to + 1]);
    const note =
      /\b(?:TODO|FIXME|XXX|HACK)\b|not implemented|implement (?:me|this|later)|stub\b|placeholder/i.test(
        comments,
      );
    const nothing = body.every((text) =>
      /^(?:pass|\.\.\.|;|nil|return;?|return (?:null|nil|None|undefined|\[\]|\{\}|''|""|0|false|true|False|True);?|null|end|\}|undefined)$/.test(
        text,
      ),
    );
    const wasMore =
      change.before.side.lines.filter(
        (one) => one.changed && one.hunk === side.lines[line]?.hunk && /\w/.test(one.text),
      ).length > 0;
    const explicit = body.length > 0 && body.every((text) => /^(?:pass|\.\.\.)$/.test(text));
    const started = side.lines[line]?.changed === true;
    const isStub =
      nothing &&
      (note ||
        (explicit && (wasMore || started)) ||
        (wasMore &&
          !started &&
          body.length <= 1 &&
          side.lines
            .slice(line + 1, to)
            .every((one) => one.changed || one.text.trim() === '' || /^\s*(?:\/\/|#|\*)/.test(one.text))));
    const echoes = note && body.length === 1 && /^return [\w.]+;?$/.test(body[0] ?? '') && started;
    return isStub || echoes ? [signalAt(change, side, line, to, STUB)] : [];
  });
}

function bodyLines(side: Side, from: number, to: number): readonly string[] {
  const text = side.code.slice(
    side.starts[from + 1] ?? side.code.length,
    side.starts[to + 1] ?? side.code.length,
  );
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) =>
        line !== '' && !/^["']{3}.*["']{3}$/.test(line) && !/^[})\]]+;?$/.test(line) && line !== 'end',
    );
}

function swallowed(change: Change): readonly Signal[] {
  const { side } = change.after;
  return SWALLOWS.flatMap((pattern) => addedMatches(change, pattern))
    .filter((match) => isSwallow(change, match))
    .map(({ line, lastLine }) => signalAt(change, side, line, lastLine, SWALLOWED));
}

/** Dropping a result hides an error only where it was handled before; a default value hides it where code was wrapped. */
function isSwallow(change: Change, { text, line, start }: Match): boolean {
  const { side } = change.after;
  const removed = change.before.side.lines
    .filter((one) => one.changed && one.hunk === side.lines[line]?.hunk)
    .map((one) => one.text);
  if (/^\s*(?:_|[\w.]+,\s*_)\s*(?::=|=)|^\s*let\s+_|\.ok\(\)/.test(text)) {
    const language = side.language.name;
    if (language !== 'go' && language !== 'rust') return false;
    return removed.some((one) => /\berr\b|\?;|\?\s*$|unwrap|expect\(|match\b|\?\)/.test(one));
  }
  if (/\btry\?/.test(text))
    return side.language.name === 'swift' && removed.some((one) => /\btry\s/.test(one));
  if (/\breturn\b/.test(text)) {
    const inside = side.lines.slice(Math.max(line - 6, 0), line).map((one) => one.text.trim());
    return removed.some((one) => one.trim() !== '' && inside.includes(one.trim()));
  }
  if (/\bexcept[ \t]*:/.test(text) && !/pass|\.\.\.|continue/.test(text))
    return /^\s*(?:pass|\.\.\.|continue)/.test(side.code.slice(start + text.length));
  return true;
}
