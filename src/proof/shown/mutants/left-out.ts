import {
  type Code,
  endOf,
  endOfStatement,
  isFirst,
  isSpaced,
  isText,
  type LanguageName,
} from 'ralph-ecosystems';

/** First words of statements that load or name something. A change in one doesn't build. */
const DECLARES: Readonly<Partial<Record<LanguageName, RegExp>>> = {
  js: /^(?:import|interface|declare|type)$/,
  python: /^(?:import|from)$/,
  go: /^(?:import|package)$/,
  rust: /^(?:use|mod|extern|type)$/,
  java: /^(?:import|package)$/,
  kotlin: /^(?:import|package|typealias)$/,
  scala: /^(?:import|package|type)$/,
  csharp: /^using$/,
  php: /^(?:use|namespace|require|require_once|include|include_once)$/,
  ruby: /^(?:require|require_relative|load|include|extend|class)$/,
  swift: /^(?:import|typealias)$/,
  dart: /^(?:import|export|part|library|typedef)$/,
  elixir: /^(?:alias|import|use|require|@)$/,
  cpp: /^(?:#|using|typedef|template)$/,
  shell: /^(?:source|\.)$/,
};

/** Returns the indices of tokens that aren't mutated: imports, type declarations, attributes, type arguments. */
export function leftOut(code: Code): ReadonlySet<number> {
  const out = new Set<number>();
  const add = (from: number, to: number) => {
    for (let at = from; at <= to; at += 1) out.add(at);
  };
  for (const at of code.tokens.keys()) {
    if (out.has(at)) continue;
    const to = declarationEnd(code, at) ?? attributeEnd(code, at) ?? genericsEnd(code, at);
    if (to !== null) add(at, to);
  }
  return out;
}

function declarationEnd(code: Code, at: number): number | null {
  const { tokens, language } = code;
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token === undefined || next === undefined || token.kind === 'string') return null;
  if (!isFirst(code, at) && !isText(before, ';')) return null;
  if (DECLARES[language]?.test(token.text) === true) {
    if (language !== 'js') return endOfStatement(code, at);
    return next.kind === 'word' ||
      next.kind === 'string' ||
      (token.text === 'import' && /^[{*]$/.test(next.text))
      ? endOfStatement(code, at)
      : null;
  }
  const isExported = language === 'js' && token.text === 'export';
  return isExported && /^(?:\{|\*|type|interface|declare)$/.test(next.text) ? endOfStatement(code, at) : null;
}

/** Returns the end of `@name(…)`, `#[…]`, or `[…]` on its own line in C#. */
function attributeEnd(code: Code, at: number): number | null {
  const { tokens, language, partner } = code;
  const [token, next] = [tokens[at], tokens[at + 1]];
  const isHash = isText(token, '#') && (language === 'rust' || language === 'php');
  if (isHash) return partner.get(isText(next, '!') ? at + 2 : at + 1) ?? null;
  if (language === 'csharp' && isText(token, '[') && isFirst(code, at) && next?.kind === 'word')
    return partner.get(at) ?? null;
  if (!isText(token, '@') || next?.kind !== 'word' || language === 'ruby' || language === 'php') return null;
  let last = at + 1;
  while (isText(tokens[last + 1], '.') && tokens[last + 2]?.kind === 'word') last += 2;
  return isText(tokens[last + 1], '(') ? (partner.get(last + 1) ?? last) : last;
}

/** Tokens that type arguments may have. */
const MOST_ARGUMENTS = 40;

/** Returns the end of `<…>` right after a name. */
function genericsEnd({ tokens, text }: Code, at: number): number | null {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before?.kind !== 'word' || token === undefined || !isText(token, '<')) return null;
  if (endOf(before) !== token.start || /\s/.test(text[token.start + 1] ?? '')) return null;
  let depth = 0;
  for (let last = at; last < at + MOST_ARGUMENTS; last += 1) {
    const one = tokens[last];
    if (one === undefined || (one.kind === 'punct' && /^(?:;|&&|\|\||==|!=)$/.test(one.text))) return null;
    if (isText(one, '<')) depth += 1;
    else if (isText(one, '>') && --depth === 0) return last;
  }
  return null;
}

export function mayBeType(code: Code, at: number): boolean {
  const { tokens, language } = code;
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (language !== 'python' && !code.isTyped) return false;
  if (isInTypesBrackets(code, at)) return true;
  const isNextTo = (text: string) => isText(before, text) || isText(after, text);
  if (language === 'python') return isPythonType(code, at);
  if (!code.isTyped) return false;
  if (isNextTo('|') || isNextTo('&') || /^(?:as|satisfies|is|extends|keyof)$/.test(before?.text ?? ''))
    return true;
  if (after !== undefined && isText(after, '>') && !isSpaced(code, after)) return true;
  return isText(before, ':') && !isInObject(code, at) && !isInTernary(code, at - 1);
}

/** Names of types begin with a capital (`Literal['a']`, `Task['status']`); names of constants have only capitals. */
function isInTypesBrackets({ tokens, around }: Code, at: number): boolean {
  const bracket = around[at] ?? -1;
  return isText(tokens[bracket], '[') && /^[A-Z][a-zA-Z]*[a-z]/.test(tokens[bracket - 1]?.text ?? '');
}

/** Annotations of Python follow `->`, or a `:` outside of dictionaries and slices. */
function isPythonType({ tokens, around }: Code, at: number): boolean {
  const [before, bracket] = [tokens[at - 1], around[at] ?? -1];
  if (isText(before, '->')) return true;
  return isText(before, ':') && !/^[[{]$/.test(tokens[bracket]?.text ?? '');
}

/** Returns whether the braces around a token are an object, as they stand in place of a value. */
function isInObject(code: Code, at: number): boolean {
  const { tokens, around } = code;
  const bracket = around[at] ?? -1;
  if (!isText(tokens[bracket], '{')) return false;
  const before = tokens[bracket - 1];
  if (isText(before, ':')) return isInObject(code, bracket);
  return before !== undefined && /^(?:=|\(|,|\[|return|\?|&&|\|\||\?\?|\.\.\.)$/.test(before.text);
}

function isInTernary({ tokens, around, partner }: Code, colon: number): boolean {
  for (let at = colon - 1; at > (around[colon] ?? -1); at -= 1) {
    const opening = partner.get(at);
    if (opening !== undefined && opening < at) at = opening;
    else if (isText(tokens[at], '?')) return !/^[:,)]$/.test(tokens[at + 1]?.text ?? '');
    else if (isText(tokens[at], ';')) return false;
  }
  return false;
}
