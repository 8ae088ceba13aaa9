import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Match, type Side } from '../lex/side.ts';
import { remembered } from '../remember.ts';
import { blockEnd, indentOf, testAt } from '../tests/find-tests.ts';
import { addedMatches, removedAround, type Sign, signalAt } from './sign.ts';

const CAUGHT: Sign = {
  category: 'error_swallowing',
  kind: 'error_only_logged',
  confidence: 0.75,
  reason: 'An error that was passed on is caught now, and at most logged',
};
const WIDENED: Sign = {
  ...CAUGHT,
  kind: 'catch_widened',
  reason: 'Any error is caught where only certain ones were, and none is passed on',
};

const CATCHES = /^[ \t]*(?:\}[ \t]*)?(?:catch\b|except\b|rescue\b)[^\n]*/gm;
/** Of a promise, in one expression. */
const HANDLERS =
  /\.catch\s*\(\s*(?:async\s*)?(?:\(\s*\w*(?:\s*:\s*\w+)?\s*\)|\w+)\s*=>\s*(\{[^{}]*\}|[\w.]+\([^\n;]*\))\s*\)|\.catch\s*\(\s*((?:console|log|logger)\.\w+)\s*\)/g;
/** What takes any error. */
const BROAD =
  /^\s*\}?\s*(?:catch\b\s*(?:\{|\(\s*(?:final\s+)?(?:\\?(?:Exception|Throwable|RuntimeException|Error|std::exception)\b[^|]*|\w+\s*:\s*(?:Exception|Throwable|unknown|any)|\.\.\.|\w*)\s*\))|except\s*(?::|\(?\s*(?:Exception|BaseException)\b)|rescue\s*(?:$|=>|StandardError|Exception))/;
/** They say that something isn't there or was cancelled, which is no failure. */
const EXPECTED =
  /Cancel|Abort|NotFound|NoSuch|Exists|Missing|Stop|EOF|EndOf|Import|Timeout|Interrupt|KeyError/;

const LOGS =
  /^(?:await )?(?:(?:self|this|Rails|@\w+|app|ctx|c|r|s|request|req|fastify|server)\.)?(?:console|(?:\w*[lL]og(?:ger|ging)?|LOG(?:GER)?)|warnings|sys|System|Timber|os_log|NSLog|print\w*|puts|warn|error_log|fmt|debug|trace|info|Console|Debug|Trace|logger|p|pp|zap|slog|spdlog|std::cerr|std::cout|cerr|cout|e?println!?|eprintln!?|tracing)\b|^\w+\.printStackTrace\(\)|^traceback\.print_\w+\(\)/;
const NOTHING =
  /^(?:pass|continue|next|break|\.\.\.|(?:return|return\s*\(?)?\s*(?:null|nil|None|undefined|false|False|true|True|-?\d|''|""|\[\]|\{\}|\(\)|default|Optional\.empty\(\)|(?:Collections\.empty\w+|List\.of|Map\.of|emptyList|emptyMap|listOf|mapOf|Array\.Empty\w*|new \w+(?:<[^>]*>)?)\(\))?\)?)$/;
/** Nobody reads that. */
const PRINTS = /\bprintStackTrace\b|\bSystem\.(?:out|err)\b/;
/** It asks for attention, where the rest of a loop is to go on. */
const REPORTS = /\b(?:error|exception|critical|fatal|capture\w*|warn(?:ing)?|severe)\s*\(/i;

/** Errors that production code used to pass on and that end in a handler that does nothing with them. */
export function caughtErrorSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(
      ({ role, file, after }) =>
        role === 'source' && file.oldPath !== null && after.side.language.name !== 'shell',
    )
    .flatMap((change) => [...wrapped(change), ...chained(change)]);
}

function wrapped(change: Change): readonly Signal[] {
  const { side, tests } = change.after;
  return addedMatches(change, CATCHES).flatMap(({ line, text }) => {
    const body = bodyOf(side, line);
    if (testAt(tests, line) !== null || /\b(?:throw|raise|reject|panic|exit|abort)\b/.test(body.join('\n')))
      return [];
    const broad = BROAD.test(text);
    const catches = removedAround(change, line).filter((one) => /\b(?:catch|except|rescue)\b/.test(one));
    if (catches.length > 0)
      return broad && !catches.some((one) => BROAD.test(one))
        ? [signalAt(change, side, line, line, WIDENED)]
        : [];
    const idle = body.every((one) => NOTHING.test(one));
    const quiet = body.every((one) => NOTHING.test(one) || LOGS.test(one));
    const survives = isInLoop(side, line) && REPORTS.test(body.join('\n'));
    const drops = broad
      ? quiet && body.length > 0 && !survives && !isExplained(side, line)
      : (idle || (quiet && PRINTS.test(body.join('\n')))) && !EXPECTED.test(text);
    return drops && wrapsKnown(change, line) ? [signalAt(change, side, line, line, CAUGHT)] : [];
  });
}

/** A comment says in a sentence why there is nothing to do. */
function isExplained(side: Side, line: number): boolean {
  const [from, to] = [side.starts[line] ?? 0, side.starts[blockEnd(side, line) + 1] ?? side.text.length];
  const comments = [...side.text.slice(from, to).matchAll(/(?:\/\/|\/\*+|#)\s*([^\n]*)/g)].map(
    ([, words]) => words ?? '',
  );
  return comments.some(
    (words) =>
      (words.match(/[\p{L}']+/gu) ?? []).length >= 5 &&
      !/\b(?:TODO|FIXME|for now|flaky|ignor\w*|swallow\w*)\b/i.test(words),
  );
}

/** The statements of a handler; what stands in brackets is left out. */
function bodyOf(side: Side, line: number): readonly string[] {
  const to = blockEnd(side, line);
  const lines = side.code.slice(side.starts[line], side.starts[Math.max(to, line) + 1]).split('\n');
  const first = /(?:\{|:|\bthen\b)\s*([^{}]*?)\s*\}?\s*$/.exec(lines[0] ?? '')?.[1] ?? '';
  const nested = lines
    .slice(1)
    .findIndex((text) => /^\s*\}?\s*(?:catch|finally|except|ensure|else|rescue)\b/.test(text));
  const text = [first, ...lines.slice(1, nested < 0 ? undefined : nested + 1)].join('\n');
  let flat = text;
  for (let round = 0; round < 4; round += 1) flat = flat.replace(/\(([^()]+)\)/g, '()');
  return flat
    .split(/[\n;]/)
    .map((one) => unclosed(one.trim()))
    .filter((one) => one !== '' && !/^(?:end|[)\]}]+|\{)$/.test(one));
}

/** Without the end of the block. */
function unclosed(text: string): string {
  return text.includes('{') ? text : text.replace(/^\}+|\}+$/g, '').trim();
}

const LEADS = /^(?:return|await|const|let|var|val|final|auto|\w+(?::\s*\w+)?\s*:?=(?!=))\s+/;

function statement(text: string): string {
  let bare = text.trim().replace(/;$/, '');
  while (LEADS.test(bare)) bare = bare.replace(LEADS, '');
  return bare;
}

const statementsOf = remembered(
  ({ lines }: Side): ReadonlySet<string> => new Set(lines.map(({ text }) => statement(text))),
);

const OPENS = /^\s*(?:try|begin|do|def)\b|\btry\s*\{\s*$|\bdo\b(?:\s*\|[^|\n]*\|)?\s*$/;

/** What is tried was there before, and nothing caught what it threw. */
function wrapsKnown({ before, after }: Change, line: number): boolean {
  const { lines } = after.side;
  const own = lines[line];
  const indent = indentOf(own?.text ?? '');
  const from = lines
    .slice(0, line)
    .findLastIndex(({ text, hunk }) => hunk === own?.hunk && indentOf(text) === indent && OPENS.test(text));
  if (from < 0) return false;
  // A method or block that was there before: so was what is tried.
  if (lines[from]?.changed === false) return !/^\s*\}?\s*(?:try|begin|do)\b/.test(lines[from]?.text ?? '');
  const known = statementsOf(before.side);
  return lines
    .slice(from + 1, line)
    .some(({ text }) => /[(=]|^\s*return\b|!\s*$/.test(text) && known.has(statement(text)));
}

function isInLoop({ lines }: Side, line: number): boolean {
  let indent = indentOf(lines[line]?.text ?? '');
  for (let at = line - 1; at >= 0 && lines[at]?.hunk === lines[line]?.hunk; at -= 1) {
    const text = lines[at]?.text ?? '';
    if (!/\w/.test(text) || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (/^\s*(?:for|foreach|while|loop|until)\b|\.(?:each|forEach|map)\b/.test(text)) return true;
  }
  return false;
}

/** `.catch(console.log)` behind a call that was there without it. */
function chained(change: Change): readonly Signal[] {
  const { side } = change.after;
  if (side.language.name !== 'js') return [];
  return findCode(side, HANDLERS)
    .filter(({ changed, groups }) => changed && isQuietHandler(groups))
    .filter((match) => continues(change, match))
    .map(({ line, lastLine }) => signalAt(change, side, line, lastLine, CAUGHT));
}

function isQuietHandler([, block = '', name]: Match['groups']): boolean {
  if (name !== undefined) return true;
  let flat = block.replace(/^\{|\}$/g, '');
  for (let round = 0; round < 4; round += 1) flat = flat.replace(/\(([^()]+)\)/g, '()');
  const body = flat.split(/[\n;]/).map((one) => one.trim());
  return (
    body.some((one) => LOGS.test(one)) &&
    body.every((one) => one === '' || NOTHING.test(one) || LOGS.test(one))
  );
}

function continues(change: Change, { line, start }: Match): boolean {
  const { side } = change.after;
  const own = side.code.slice(side.starts[line], start).trim();
  const head = statement(own === '' ? (side.lines[line - 1]?.text ?? '') : own);
  return (
    head.length > 3 &&
    removedAround(change, line).some((text) => statement(text).startsWith(head) && !text.includes('.catch'))
  );
}
