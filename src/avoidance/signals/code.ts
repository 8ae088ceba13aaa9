import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Match, type Side } from '../lex/side.ts';
import { blockEnd, indentOf } from '../tests/find-tests.ts';
import { addedMatches, removedAround, type Sign, signalAt } from './sign.ts';

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

/** A body that says of itself that it isn't one. */
const NOT_IMPLEMENTED =
  /\bthrow\s+(?:new\s+)?\w*(?:Error|Exception)?\s*\(\s*["'`][^"'`\n]*(?:not\s+(?:yet\s+)?implemented|unimplemented|TODO|implement me|coming soon|not supported yet)[^\n]*|\bthrow\s+(?:new\s+)?(?:NotImplemented\w*|UnimplementedError|UnsupportedOperationException)\b|\braise\s+NotImplementedError\b|\b(?:todo|unimplemented)!\s*\(|(?<![\w.])TODO\s*\(|\bpanic!?\s*\(\s*(?:errors\.New\()?"[^"\n]*(?:not (?:yet )?implemented|unimplemented|todo)|\b(?:fatalError|preconditionFailure|abort|die|raise|errors\.New|fmt\.Errorf)\s*\(?\s*["'][^"'\n]*(?:not (?:yet )?implemented|unimplemented|TODO)|\?\?\?|\bNotImplementedException\b/gi;
/** Definitions with their body, for what is in it. */
const BODIES =
  /^([ \t]*)(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|async\s+|override\s+|final\s+|open\s+)*(?:function\*?|def|func|fn|fun|void|int|string|bool|boolean|[A-Z]\w*)\s+(?:\([^)]*\)\s*)?\w+[?!]?\s*(?:<[^>]*>)?\s*\([^\n]*\)?[^\n]*(?:\{|:|=>|$)|^[ \t]+(?:(?:async|static|get|set|public|private|protected|override)\s+)*\*?#?(?!(?:if|for|while|switch|catch|function|with|return|do|else|try|when|match|it|test|describe)\b)[a-z_]\w*\s*\([^\n()]*\)\s*(?::\s*[^\n{;]+)?\{[ \t]*$/gm;

const SWALLOWS: readonly RegExp[] = [
  /\bcatch\s*(?:\([^)]*\)|\w+)?\s*\{\s*;?\s*\}/g,
  /\bexcept\b[ \t]*:[ \t]*(?:pass|\.\.\.|continue)?[ \t]*(?:\n[ \t]*(?:pass|\.\.\.|continue)\b)?/g,
  /\bexcept[ \t]*\(?[ \t]*(?:Exception|BaseException)\b[^:\n]*:\s*(?:pass|\.\.\.|continue|return(?:[ \t]+[^\n]*)?)[ \t]*$/gm,
  /\b(?:contextlib\.)?suppress\s*\(\s*(?:Exception|BaseException)\b/g,
  /\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|\[\]|false|true|0|''|""|\(\{\}\)|void 0)?\s*\)|\.catch\s*\(\s*(?:noop|function\s*\(\w*\)\s*\{\s*\})\s*\)/g,
  /^[ \t]*rescue\b[^\n]*\n(?:[ \t]*(?:nil[ \t]*)?\n)*[ \t]*end\b|\brescue\s+(?:nil|false|0|\[\]|'')\s*$/gm,
  /^[ \t]*(?:_|[\w.]+,\s*_)\s*(?::=|=)\s*[\w.]+\([^\n]*\)[ \t]*$|\bif\b[^\n{]*\berr\s*!=\s*nil\s*\{\s*\}/gm,
  /^[ \t]*let\s+_\s*=\s*[\w.:]+\([^\n]*\)\s*;|\.ok\(\)\s*;|\bErr\(_\)\s*=>\s*(?:\{\s*\}|\(\))/gm,
  /\bcatch\s*(?:\(\s*(?:final\s+)?(?:Exception|Throwable|RuntimeException|Error|\\?Exception|\\?Throwable|_|e|err|error|ex)?\s*\$?\w*(?:\s*:\s*\w+)?\s*\))?\s*\{\s*return(?:\s+(?:null|false|true|0|''|""|\[\]|\{\}|undefined|nil|None|Optional\.empty\(\)))?\s*;?\s*\}/g,
  /\bcatch\s*\(\s*\.\.\.\s*\)\s*\{\s*\}|\btry\?\s+\w|^[ \t]*rescue\s*(?:_|e)?\s*(?:->|=>)\s*(?:nil|:ok|:error)\b/gm,
  /\bfinally\b\s*[:{]\s*return\b[^\n]*/g,
  /\bprocess\.on\s*\(\s*["'](?:unhandledRejection|uncaughtException)["']\s*,\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*\{\s*\}\s*\)/g,
  /^[ \t]*On Error Resume Next|\$ErrorActionPreference\s*=\s*["']SilentlyContinue/gm,
];

/** That something was cancelled, or isn't there: no failure of what was tried. */
const EXPECTED =
  /\bcatch\s*\(\s*(?:final\s+)?[\w.\\]*(?:Cancel\w*|Abort\w*|NotFound\w*|NoSuch\w*|AlreadyExists\w*|EndOfStream\w*|EOF\w*|StopIteration)\b(?!\s*\|)/;

/** What production code leaves open or hides. */
export function codeSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => [...stubs(change), ...emptied(change), ...swallowed(change)]);
}

function stubs(change: Change): readonly Signal[] {
  const { side } = change.after;
  return addedMatches(change, NOT_IMPLEMENTED)
    .filter(({ line }) => !isAbstract(side, line))
    .map(({ line }) => signalAt(change, side, line, line, STUB));
}

/** How many lines above the class of a method is looked for. */
const FAR = 400;

/** In a class that others are to derive from, or under an annotation that says so. */
function isAbstract(side: Side, line: number): boolean {
  const above = enclosing(side, line);
  const owner = above.findLast((text) => /\b(?:class|interface|protocol|trait|module)\b/.test(text)) ?? '';
  return (
    /abstract|Base|Abstract|Interface|Protocol|ABC|Mixin|interface|protocol|trait/.test(owner) ||
    side.lines
      .slice(Math.max(line - 4, 0), line)
      .some(({ text }) => /@(?:\w+\.)?abstract|@overload/.test(text))
  );
}

/** The lines that a line is deeper than, each deeper than the one before it. */
function enclosing({ lines }: Side, line: number): readonly string[] {
  const found: string[] = [];
  let indent = indentOf(lines[line]?.text ?? '');
  for (let at = line - 1; at >= Math.max(line - FAR, 0) && indent > 0; at -= 1) {
    const text = lines[at]?.text ?? '';
    if (!/\w/.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    found.unshift(text);
  }
  return found;
}

/** Definitions whose body became nothing, or begins as nothing but a note. */
function emptied(change: Change): readonly Signal[] {
  const { side } = change.after;
  return findCode(side, BODIES).flatMap(({ line }) => {
    const to = blockEnd(side, line);
    const body = bodyLines(side, line, to);
    const changed = side.lines.slice(line + 1, to + 1).some((one) => one.changed);
    const shrank = !changed && body.length <= 1 && lostBody(change, line);
    if (!(changed || shrank) || isAbstract(side, line + 1)) return [];
    const comments = side.text.slice(side.starts[line], side.starts[to + 1]);
    const note =
      /\b(?:TODO|FIXME|XXX|HACK)\b|not implemented|implement (?:me|this|later)|stub\b|placeholder/i.test(
        comments,
      );
    const nothing = body.every((text) =>
      /^(?:pass|\.\.\.|;|nil|return;?|return [{[](?:\s*\w+:)?\s*(?:0|''|""|null|\[\]|false|None|nil)(?:,\s*(?:\w+:\s*)?(?:0|''|""|null|\[\]|false|None|nil))*,?\s*[}\]];?|return (?:null|nil|None|undefined|\[\]|\{\}|''|""|0|false|true|False|True);?|null|end|\}|undefined|return default;|return NotImplemented|Ok\(\(\)\))$/.test(
        text,
      ),
    );
    const wasMore = removedAround(change, line).length > 0;
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
    const isEmptied = shrank && nothing && side.lines[line]?.changed === false;
    const echoes =
      note &&
      body.length === 1 &&
      /^return [\w.]+;?$/.test(body[0] ?? '') &&
      (started || (wasMore && changed));
    return isStub || isEmptied || echoes ? [signalAt(change, side, line, to, STUB)] : [];
  });
}

/** Of the same definition more lines were there before. */
function lostBody({ before, after }: Change, line: number): boolean {
  const { text, hunk } = after.side.lines[line] ?? {};
  const old = before.side.lines.findIndex((one) => one.hunk === hunk && one.text === text && !one.changed);
  if (old < 0) return false;
  const to = blockEnd(before.side, old);
  const gone = before.side.lines.slice(old + 1, to + 1).filter((one) => one.changed && /\w/.test(one.text));
  return gone.some((one) => /\w\s*[(=[]|\breturn\b/.test(one.text));
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
  if (side.language.name === 'shell') return droppedStatus(change);
  return SWALLOWS.flatMap((pattern) => addedMatches(change, pattern))
    .filter((match) => isSwallow(change, match))
    .map(({ line, lastLine }) => signalAt(change, side, line, lastLine, SWALLOWED));
}

/** A script that goes on after a failure at which it ended before. */
function droppedStatus(change: Change): readonly Signal[] {
  const { before, after } = change;
  const ends = /^[ \t]*set\s+(?:-\w*e\w*\b|-o\s+errexit)/gm;
  const lost = findCode(before.side, ends).find(({ changed }) => changed);
  const kept = findCode(after.side, ends).some(({ changed }) => changed);
  const old = before.side.lines.filter(({ changed }) => changed).map(({ text }) => text.trim());
  const dropped = addedMatches(
    change,
    /^[ \t]*(\S[^\n|]*?)\s*(?:\d?>\S+\s*)*\|\|\s*(?:true|:)[ \t]*$/gm,
  ).filter(
    ({ groups }) => old.some((text) => text === groups[1]) && !TIDIES.test(`${groups[1]?.split(' ')[0]}(`),
  );
  return [
    ...(lost !== undefined && !kept ? [signalAt(change, before.side, lost.line, lost.line, SWALLOWED)] : []),
    ...dropped.map(({ line }) => signalAt(change, after.side, line, line, SWALLOWED)),
  ];
}

/** In place of handling it, a comment says in a sentence why there is nothing to do. */
function isExplained(side: Side, start: number, text: string): boolean {
  const comment = /(?:\/\/|\/\*+|#)\s*([^\n]*?)(?:\*\/|$)/m.exec(
    side.text.slice(start, start + text.length + 120),
  );
  const inside = comment !== null && /^[\s{};:)\w(]*$/.test(side.code.slice(start, start + comment.index));
  const words = comment?.[1]?.match(/[\p{L}']+/gu) ?? [];
  return (
    inside &&
    words.length >= 5 &&
    !/\b(?:ignor\w*|swallow\w*|silen\w*|TODO|FIXME|for now|whatever|never mind|nothing to do|do nothing|suppress\w*|hide|flaky)\b/i.test(
      words.join(' '),
    )
  );
}

/** Only tidying up is attempted: a file that goes, a connection or process that ends, a wait. */
const TIDIES =
  /\b(?:rm|rmdir|rmSync|unlink\w*|remove\w*|delete\w*|close\w*|cancel\w*|kill\w*|destroy\w*|abort\w*|release\w*|dispose\w*|shutdown|unlock\w*|disconnect\w*|terminate\w*|cleanup|clean_up|unsubscribe|unref|end|quit|sleep|(?<!\.)delay|stop\w*|detach|chmod|utimes)\s*\(/i;

function isCleanup(side: Side, line: number, text: string): boolean {
  const own = side.lines[line]?.text ?? '';
  if (/\.catch\b/.test(text)) {
    const receiver = own.slice(0, own.indexOf('.catch'));
    // A promise that something else waits for.
    return TIDIES.test(receiver) || /^\s*(?:void\s+)?[\w.]+$/.test(receiver);
  }
  const start = Math.max(line - 12, 0);
  const within = side.lines
    .slice(start, line + 1)
    .findLastIndex((one) => /^\s*(?:try|begin|do)\b/.test(one.text));
  const from = within < 0 ? within : within + start;
  const tried = side.lines
    .slice(from + 1, line)
    .map((one) => one.text)
    .filter((one) => /\w/.test(one) && !/^\s*(?:\/\/|#)/.test(one));
  return from >= 0 && tried.length === 1 && TIDIES.test(tried[0] ?? '');
}

/** Dropping a result hides an error only where it was handled before; a default value hides it where code was wrapped. */
function isSwallow(change: Change, { text, line, start }: Match): boolean {
  const { side } = change.after;
  const removed = removedAround(change, line);
  if (/^\s*(?:_|[\w.]+,\s*_)\s*(?::=|=)|^\s*let\s+_|\.ok\(\)/.test(text)) {
    const language = side.language.name;
    if (language !== 'go' && language !== 'rust') return false;
    return removed.some((one) => /\berr\b|\?;|\?\s*$|unwrap|expect\(|match\b|\?\)/.test(one));
  }
  if (/\btry\?/.test(text))
    return side.language.name === 'swift' && removed.some((one) => /\btry\s/.test(one));
  if (/\bfinally\b/.test(text)) return true;
  if (/\breturn\b/.test(text)) {
    const statement = (one: string) => one.trim().replace(/^(?:return\s+)?(?:await\s+)?/, '');
    const inside = side.lines.slice(Math.max(line - 6, 0), line).map((one) => statement(one.text));
    // The whole in one line: `try { return x(); } catch { return 0; }`.
    const own = side.lines[line]?.text ?? '';
    return removed.some(
      (one) =>
        /\w/.test(one) &&
        (inside.includes(statement(one)) || (/\btry\b/.test(own) && own.includes(statement(one)))),
    );
  }
  if (EXPECTED.test(text) || isExplained(side, start, text) || isCleanup(side, line, text)) return false;
  if (/\bexcept[ \t]*:/.test(text) && !/pass|\.\.\.|continue/.test(text))
    return /^\s*(?:pass|\.\.\.|continue)/.test(side.code.slice(start + text.length));
  return true;
}
