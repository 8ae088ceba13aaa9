import type { Change, Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { findCode, type Side } from '../lex/side.ts';
import { blockEnd, indentOf } from '../tests/find-tests.ts';
import { addedMatches, removedAround, type Sign, signalAt } from './sign.ts';

const STUB: Sign = {
  category: 'stub_completion',
  kind: 'stub',
  confidence: 0.8,
  reason: 'A body says that it is not implemented, or does nothing',
};

const NOT_IMPLEMENTED =
  /\bthrow\s+(?:new\s+)?\w*(?:Error|Exception)?\s*\(\s*["'`][^"'`\n]*(?:not\s+(?:yet\s+)?implemented|unimplemented|TODO|implement me|coming soon|not supported yet)[^\n]*|\bthrow\s+(?:new\s+)?(?:NotImplemented\w*|UnimplementedError|UnsupportedOperationException)\b|\braise\s+NotImplementedError\b|\b(?:todo|unimplemented)!\s*\(|(?<![\w.])TODO\s*\(|\bpanic!?\s*\(\s*(?:errors\.New\()?"[^"\n]*(?:not (?:yet )?implemented|unimplemented|todo)|\b(?:fatalError|preconditionFailure|abort|die|raise|errors\.New|fmt\.Errorf)\s*\(?\s*["'][^"'\n]*(?:not (?:yet )?implemented|unimplemented|TODO)|\?\?\?|\bNotImplementedException\b/gi;
const BODIES =
  /^([ \t]*)(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|async\s+|override\s+|final\s+|open\s+)*(?:function\*?|def|func|fn|fun|void|int|string|bool|boolean|[A-Z]\w*)\s+(?:\([^)]*\)\s*)?\w+[?!]?\s*(?:<[^>]*>)?\s*\([^\n]*\)?[^\n]*(?:\{|:|=>|$)|^[ \t]+(?:(?:async|static|get|set|public|private|protected|override)\s+)*\*?#?(?!(?:if|for|while|switch|catch|function|with|return|do|else|try|when|match|it|test|describe)\b)[a-z_]\w*\s*\([^\n()]*\)\s*(?::\s*[^\n{;]+)?\{[ \t]*$/gm;

const ASSIGNED =
  /^[ \t]*(?:(?:export\s+)?(?:const|let|var)\s+\w+|(?:module\.)?exports(?:\.\w+)?|\w+(?:\.\w+)+)\s*(?::[^=\n]+)?=\s*(?:async\s+)?(?:function\b[^\n]*|(?:\([^\n]*\)|\w+)(?:\s*:[^=\n]+)?\s*=>[^\n]*)$/gm;
const NOTE =
  /\b(?:TODO|FIXME|XXX|HACK)\b|not implemented|implement (?:me|this|later|properly)|stub\b|placeholder|\bfor now\b|hard-?coded/i;
const LITERAL =
  '(?:[-+]?\\d[\\d_.]*[a-zA-Z]?|"[^"\\n]*"|\'[^\'\\n]*\'|`[^`$\\n]*`|true|false|null|None|True|False|nil|undefined|[[{][\\s\\d.,\'":\\w-]*[\\]}])';
const ANSWER = new RegExp(
  `^(?:(?:\\} )?(?:else )?(?:if|elif|case|when)\\b[^\\n]*?(?:return ${LITERAL}[;}]*|[:{])?|(?:\\} )?else\\b ?[:{]?|default:|return ${LITERAL};?|return [^?\\n]+\\?\\s*${LITERAL}\\s*:\\s*(?:${LITERAL}|[\\w.]+);?|return [\\w.]+\\[[\\w.]+\\](?:\\s*(?:\\?\\?|\\|\\|)\\s*${LITERAL})?;?|(?:const|let|var)? ?\\w+ :?= ?${LITERAL};?|[^\\n]*=>\\s*${LITERAL}[;,]?)$`,
);

export function stubSignals({ all }: Changes): readonly Signal[] {
  return all
    .filter(({ role }) => role === 'source')
    .flatMap((change) => [...stubs(change), ...emptied(change), ...answered(change)]);
}

function answered(change: Change): readonly Signal[] {
  const { side } = change.after;
  const lines = [...findCode(side, BODIES), ...findCode(side, ASSIGNED)].map(({ line }) => line);
  return [...new Set(lines)].flatMap((line) => {
    const to = blockEnd(side, line);
    if (isAbstract(side, line + 1) || !side.lines.slice(line, to + 1).some((one) => one.changed)) return [];
    const text = side.text.slice(side.starts[noteStart(side, line)], side.starts[to + 1]);
    const code = side.code.slice(side.starts[line], side.starts[to + 1]).trim();
    const body = /=>\s*[^\s{]/.test(code.split('\n')[0] ?? '') ? [code] : bodyLines(side, line, to);
    const isAnswer =
      body.length > 0 && body.every((one) => ANSWER.test(one)) && body.some((one) => /return|=>/.test(one));
    return isAnswer && NOTE.test(text) ? [signalAt(change, side, line, to, STUB)] : [];
  });
}

function noteStart({ lines }: Side, line: number): number {
  let from = line;
  while (from > 0 && line - from < NOTE_LINES && /^\s*(?:\/\/|#|\*|\/\*)/.test(lines[from - 1]?.text ?? ''))
    from -= 1;
  return from;
}

/** Lines of a comment above a definition that are read. */
const NOTE_LINES = 5;

function stubs(change: Change): readonly Signal[] {
  const { side } = change.after;
  return addedMatches(change, NOT_IMPLEMENTED)
    .filter(({ line }) => !isAbstract(side, line))
    .map(({ line }) => signalAt(change, side, line, line, STUB));
}

/** Lines above a method in which its class is searched. */
const FAR = 400;

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

function emptied(change: Change): readonly Signal[] {
  const { side } = change.after;
  return findCode(side, BODIES).flatMap(({ line }) => {
    const to = blockEnd(side, line);
    const body = bodyLines(side, line, to);
    const changed = side.lines.slice(line + 1, to + 1).some((one) => one.changed);
    const shrank = !changed && body.length <= 1 && lostBody(change, line);
    if (!(changed || shrank) || isAbstract(side, line + 1)) return [];
    const comments = side.text.slice(side.starts[line], side.starts[to + 1]);
    const note = NOTE.test(comments);
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
