import type { Change, Changes } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import { findCode, type Match, type Side } from '../../lex/side.ts';
import { addedMatches, removedAround, type Sign, signalAt } from '../sign.ts';

const SWALLOWED: Sign = {
  category: 'error_swallowing',
  kind: 'error_swallowed',
  confidence: 0.8,
  reason: 'An error is caught or dropped, and nothing is done about it',
};

const IGNORED: Sign = {
  category: 'gate_weakening',
  kind: 'failure_ignored',
  confidence: 0.9,
  reason: 'A failing check no longer fails the run',
};

const SWALLOWS: readonly RegExp[] = [
  /\bcatch\s*(?:\([^)]*\)|\w+)?\s*\{\s*;?\s*\}/g,
  /\bexcept\b[ \t]*:[ \t]*(?:pass|\.\.\.|continue)?[ \t]*(?:\n[ \t]*(?:pass|\.\.\.|continue)\b)?/g,
  /\bexcept[ \t]*\(?[ \t]*(?:Exception|BaseException)\b[^:\n]*:\s*(?:pass|\.\.\.|continue|return(?:[ \t]+[^\n]*)?)[ \t]*$/gm,
  /\b(?:contextlib\.)?suppress\s*\(\s*(?:Exception|BaseException|StandardError)\b/g,
  /\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|\[\]|false|true|0|''|""|\(\{\}\)|void 0)?\s*\)|\.catch\s*\(\s*(?:noop|function\s*\(\w*\)\s*\{\s*\})\s*\)/g,
  /^[ \t]*rescue\b[^\n]*\n(?:[ \t]*(?:nil[ \t]*)?\n)*[ \t]*end\b|\brescue\s+(?:nil|false|0|\[\]|\{\}|''|"")\s*$/gm,
  /^[ \t]*(?:_|[\w.]+,\s*_)\s*(?::=|=)\s*(?:err|[\w.]+\([^\n]*\))[ \t]*$|\bif\b[^\n{]*\berr\s*!=\s*nil\s*\{\s*\}/gm,
  /^[ \t]*let\s+_\s*=\s*[\w.:]+\([^\n]*\)\s*;|\.ok\(\)\s*;|\bErr\(_\)\s*=>\s*(?:\{\s*\}|\(\))/gm,
  /\bcatch\s*(?:\(\s*(?:final\s+)?(?:Exception|Throwable|RuntimeException|Error|\\?Exception|\\?Throwable|_|e|err|error|ex)?\s*\$?\w*(?:\s*:\s*\w+)?\s*\))?\s*\{\s*return(?:\s+(?:null|false|true|0|''|""|\[\]|\{\}|undefined|nil|None|Optional\.empty\(\)))?\s*;?\s*\}/g,
  /\bcatch\s*\(\s*\.\.\.\s*\)\s*\{\s*\}|\btry\?\s+\w|^[ \t]*rescue\s*(?:_|e)?\s*(?:->|=>)\s*(?:nil|:ok|:error)\b/gm,
  /\bfinally\b\s*[:{]\s*return\b[^\n]*/g,
  /\bprocess\.on\s*\(\s*["'](?:unhandledRejection|uncaughtException)["']\s*,\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*\{\s*\}\s*\)/g,
  /\bcatchError\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:EMPTY|NEVER|of\s*\(\s*(?:null|undefined|false|true|\[\]|\{\}|'')?\s*\))\s*\)/g,
  /\.on\w*\s*\(\s*["']error["']\s*,\s*(?:noop|(?:\(\s*\w*\s*\)|\w+)\s*=>\s*\{\s*\})\s*\)/g,
  /^[ \t]*On Error Resume Next|\$ErrorActionPreference\s*=\s*["']SilentlyContinue/gm,
];

/** Matches handlers of errors that report something missing or cancelled, which isn't a failure. */
const EXPECTED =
  /\bcatch\s*\(\s*(?:final\s+)?[\w.\\]*(?:Cancel\w*|Abort\w*|NotFound\w*|NoSuch\w*|AlreadyExists\w*|EndOfStream\w*|EOF\w*|StopIteration)\b(?!\s*\|)/;

export function swallowedErrorSignals({ all }: Changes): readonly Signal[] {
  return all.flatMap((change) => {
    const { role, after } = change;
    if (after.side.language.name !== 'shell') return role === 'source' ? swallowed(change) : [];
    if (role === 'source') return droppedStatus(change, SWALLOWED);
    return role === 'test' || role === 'test_support' ? droppedStatus(change, IGNORED) : [];
  });
}

function swallowed(change: Change): readonly Signal[] {
  const { side } = change.after;
  return SWALLOWS.flatMap((pattern) => addedMatches(change, pattern))
    .filter((match) => isSwallow(change, match))
    .map(({ line, lastLine }) => signalAt(change, side, line, lastLine, SWALLOWED));
}

/** Settings with which a script ends at a failing command, also within a pipe. */
const ENDS_AT_FAILURE = [/^[ \t]*set\s+(?:-\w*e\w*\b|-o\s+errexit)/gm, /^[ \t]*set\s[^\n]*\bpipefail\b/gm];

/** A script that counts its failures ends with their number. */
const COUNTS_FAILURES = /\b(?:exit|return)\s+(?:"?\$|[1-9])/;

function droppedStatus(change: Change, sign: Sign): readonly Signal[] {
  const { before, after } = change;
  const counts = after.side.lines.some(({ changed, text }) => changed && COUNTS_FAILURES.test(text));
  const lost = (counts ? [] : ENDS_AT_FAILURE)
    .flatMap((ends) => {
      const kept = findCode(after.side, ends).some(({ changed }) => changed);
      return kept ? [] : findCode(before.side, ends).filter(({ changed }) => changed);
    })
    .at(0);
  const old = before.side.lines.filter(({ changed }) => changed).map(({ text }) => text.trim());
  const dropped = addedMatches(
    change,
    /^[ \t]*(\S[^\n|]*?)\s*(?:\d?>\S+\s*)*(?:\|\s*cat|\|\|\s*(?:true|:|(?:return|exit)\s+0|(?:echo|printf|log|warn\w*|info)\b[^\n;&|]*))[ \t]*$|^[ \t]*if\s+!\s*(\S[^\n;]*);\s*then\s*(?::|true);?\s*fi[ \t]*$/gm,
  ).filter(
    ({ groups }) =>
      old.some((text) => text === (groups[1] ?? groups[2])) &&
      !TIDIES.test(`${(groups[1] ?? groups[2])?.split(' ')[0]}(`),
  );
  return [
    ...(lost !== undefined ? [signalAt(change, before.side, lost.line, lost.line, sign)] : []),
    ...dropped.map(({ line }) => signalAt(change, after.side, line, line, sign)),
  ];
}

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

/** Calls that only clean up: they delete a file, end a connection or process, or wait. */
const TIDIES =
  /\b(?:rm|rmdir|rmSync|unlink\w*|remove\w*|delete\w*|close\w*|cancel\w*|kill\w*|destroy\w*|abort\w*|release\w*|dispose\w*|shutdown|unlock\w*|disconnect\w*|terminate\w*|cleanup|clean_up|unsubscribe|unref|end|quit|sleep|(?<!\.)delay|stop\w*|detach|chmod|utimes)\s*\(/i;

function isCleanup(side: Side, line: number, text: string): boolean {
  const own = side.lines[line]?.text ?? '';
  if (/\.catch\b/.test(text)) {
    const receiver = own.slice(0, own.indexOf('.catch'));
    // Other code waits for a promise that has a name.
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

/** Returns whether a match hides an error: a dropped result if the error was handled before, a default if old code was wrapped. */
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
    // The old code may be on the same line: `try { return x(); } catch { return 0; }`.
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
