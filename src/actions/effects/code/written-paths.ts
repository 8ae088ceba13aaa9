import { stringLiterals } from './literals.ts';

/** Calls that write where their first arguments say; the second one, where something is copied. */
const WRITE_CALLS =
  /\b(?:(f?open)|(copyFile(?:Sync)?|cp(?:Sync|_r)?|copytree|copy2?|copyfile|symlink(?:Sync)?|ln_s|File\.symlink)|writeFile(?:Sync)?|appendFile(?:Sync)?|mkdir(?:Sync|s|_p)?|makedirs|rename(?:Sync)?|os\.replace|createWriteStream|file_put_contents|outputFile(?:Sync)?|move|mv|chmod(?:Sync)?|touch|File\.(?:write|rename)|IO\.write|WriteFile|writeTextFile(?:Sync)?)(?:\s?\(|[ \t]+(?=["'$:]|my\b|[A-Z]+[ \t]?,))/g;
/** Calls on a path that stands in front of them. */
const WRITE_METHODS = /\.(?:write_text|write_bytes|touch|mkdir|rename|replace|symlink_to|chmod)\s?\(/g;
/** `print > "x"` of awk. */
const PRINTS = /\bprintf?\b[^;}\n>]{0,300}>{1,2}[ \t]{0,9}([^;}\n]{1,200})/g;
const OPENS_TO_WRITE =
  /["'](?:[rbtU]{0,3}[wax+][rbt+]{0,3}|\s*\+?[>|][^"'\n]*)["']|\bmode\s*=|O_(?:WRONLY|RDWR|CREAT)/;

/** Of one text, so many calls are followed, and so many names. */
const MOST_CALLS = 80;
const MOST_NAMES = 100;
const LONGEST_CALL = 400;

/**
 * The texts of a program that may be paths which it writes: those that a call that writes is given, that the names in
 * its arguments stand for, or that functions of the same text are given. `null`: that can't be told.
 */
export function writtenPaths(code: string): readonly string[] | null {
  const text = withoutComments(code);
  const calls = [...text.matchAll(WRITE_CALLS)].flatMap(({ 0: call, 1: opens, 2: copies, index }) => {
    const given = argumentsAt(text, index + call.length);
    if (copies !== undefined) return [given.slice(1, 2)];
    if (opens === undefined) return [given.slice(0, /^(?:rename|os|mo?v)/.test(call) ? 2 : 1)];
    // `path.open("w")`
    const owner =
      text[index - 1] === '.' && OPENS_TO_WRITE.test(given[0] ?? '') ? ownerOf(text, index - 1) : '';
    if (owner !== '') return [[owner]];
    return given.slice(1).some((each) => OPENS_TO_WRITE.test(each)) ? [given.slice(0, 3)] : [];
  });
  const methods = [...text.matchAll(WRITE_METHODS)].flatMap(({ 0: call, index }) => {
    const owner = ownerOf(text, index);
    // A text has such a method, too.
    return call.startsWith('.replace') && !/\bPath\b/.test(owner) ? [] : [[owner]];
  });
  const prints = [...text.matchAll(PRINTS)].map(([, to = '']) => [to]);
  const found = [...calls, ...methods, ...prints];
  if (found.length === 0 || found.length > MOST_CALLS) return null;
  return textsBehind(found.flat(), text);
}

/** Without what only says something about it: apostrophes there would be taken for quotes. */
function withoutComments(code: string): string {
  let text = code.replace(/^[ \t]{0,80}(?:\/\/|#)[ \t].*$/gm, '');
  for (let start = text.search(/^[ \t]{0,80}\/\*/m); start >= 0; ) {
    const end = text.indexOf('*/', start);
    if (end < 0) break;
    const rest = text.slice(end + 2);
    const next = text.length > LONGEST_COMMENTED ? -1 : rest.search(/^[ \t]{0,80}\/\*/m);
    text = text.slice(0, start) + rest;
    start = next < 0 ? -1 : start + next;
  }
  return text;
}

/** Longer texts lose their first such comment alone. */
const LONGEST_COMMENTED = 32_768;

function textsBehind(expressions: readonly string[], text: string): readonly string[] | null {
  const found: string[] = [];
  const open = [...expressions];
  const seen = new Set<string>();
  const bound = bindingsIn(text);
  let given: readonly string[] | null = null;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(...stringLiterals(next));
    for (const name of namesIn(next)) {
      if (seen.has(name)) continue;
      if (seen.size >= MOST_NAMES) return null;
      seen.add(name);
      const values = bound.get(name) ?? [];
      open.push(...values.map((at) => statementAt(text, at)));
      // It may be what a function is given.
      if (values.length === 0 && given === null) {
        given = givenToFunctions(text);
        open.push(...given);
      }
    }
  }
  return [...new Set(found)];
}

/** Names in an expression that aren't called and aren't a part of something else. */
function namesIn(expression: string): readonly string[] {
  const plain = expression.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""');
  return [...plain.matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*(?![\w$]|\s?\(|\s?=(?!=))/g)].map(([name]) => name);
}

/** Where names are set, or go through something: the place of what they get. */
function bindingsIn(text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const bindings = /(?<![.\w$])([A-Za-z_$][\w$]{0,60})[ \t]{0,9}(?::=|=(?![=>~])|\b(?:in|of)\b)/g;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(bindings)) {
    const places = found.get(name) ?? [];
    if (places.length < MOST_CALLS) places.push(index + whole.length);
    found.set(name, places);
  }
  return found;
}

function statementAt(text: string, at: number): string {
  const [statement = ''] = /^[^;\n]*/.exec(text.slice(at, at + LONGEST_CALL)) ?? [];
  // A list may go on below.
  return /[[({]\s*$/.test(statement)
    ? text.slice(at, at + LONGEST_CALL).replace(/[\])}][\s\S]*$/, '')
    : statement;
}

const FUNCTIONS =
  /\b(?:def|function|func|fn|sub|fun)\s+([A-Za-z_]\w*)|\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^()\n]{0,200}\)\s*=>|\w+\s*=>)/g;

/** What functions of the text are given in its calls of them. */
function givenToFunctions(text: string): readonly string[] {
  const own = new Set([...text.matchAll(FUNCTIONS)].flatMap(([, one, other]) => one ?? other ?? []));
  if (own.size === 0) return [];
  return [...text.matchAll(/(?<![.\w$])([A-Za-z_$][\w$]{0,60})\s?\(/g)]
    .filter(({ 1: name = '' }) => own.has(name))
    .slice(0, MOST_CALLS)
    .flatMap(({ 0: call, index }) => argumentsAt(text, index + call.length));
}

/** The arguments of a call whose bracket opens in front of that place. */
function argumentsAt(text: string, start: number): readonly string[] {
  const found: string[] = [];
  let [depth, from, quote] = [0, start, ''];
  const end = Math.min(text.length, start + LONGEST_CALL);
  for (let at = start; at < end; at += 1) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
    } else if (/["'`]/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign)) depth += 1;
    else if (/[)\]}]/.test(sign) && depth > 0) depth -= 1;
    else if (/[)\]};\n]/.test(sign) && (sign !== '\n' || text[start - 1] !== '(')) {
      return [...found, text.slice(from, at)];
    } else if (sign === ',' && depth === 0) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from, end)];
}

/** What a method is called on: back to where another expression ends. */
function ownerOf(text: string, end: number): string {
  let depth = 0;
  let at = end - 1;
  for (; at >= 0 && end - at < LONGEST_CALL; at -= 1) {
    const sign = text[at] ?? '';
    if (/[)\]}]/.test(sign)) depth += 1;
    else if (/[([{]/.test(sign)) {
      if (depth === 0) break;
      depth -= 1;
    } else if (depth === 0 && /[\s=,;:!&|]/.test(sign)) break;
  }
  return text.slice(at + 1, end);
}
