import { bare, type Names, type Placed, placed } from '../exported.ts';

/** A logical line: brackets join physical lines. */
type Line = { readonly indent: number; readonly tokens: readonly Placed[] };

/** Functions that create names that the source doesn't show. */
const DYNAMIC = new Set(['globals', 'setattr', 'exec', 'vars', 'locals', 'modules']);

/** Returns a Python module's names. Every top-level name can be used by others. */
export function pythonNames(path: string, text: string): Names {
  const { tokens, balanced } = placed(path, text);
  const [exported, declared, members] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const stars: string[] = [];
  const listed: string[] = [];
  let unsure = balanced ? null : "its brackets can't be matched";
  if (tokens.some((token) => token.kind === 'word' && DYNAMIC.has(token.text)))
    unsure ??= 'names are made while it runs';
  const scopes: { readonly indent: number; readonly kind: 'def' | 'class'; readonly name: string }[] = [];
  for (const { indent, tokens: line } of logicalLines(text, tokens)) {
    while ((scopes.at(-1)?.indent ?? -1) >= indent) scopes.pop();
    const isTop = scopes.length === 0;
    const isClass = scopes.length > 0 && scopes.every(({ kind }) => kind === 'class');
    const words = line.map((token) => token.text);
    if (words[0] === 'async') words.shift();
    const [first = '', second = ''] = words;
    if (first === 'def' || first === 'class') {
      if (second === '__getattr__' && isTop) unsure ??= 'names are made while it runs';
      scopes.push({ indent, kind: first, name: second });
    }
    if (isTop && words.includes('__all__')) listed.push(...line.map(bare).filter(Boolean));
    if (first === 'from' && words.at(-1) === '*')
      stars.push(words.slice(1, words.indexOf('import')).join(''));
    const made = namesMadeBy(line, words);
    for (const name of first === 'import' || first === 'from' ? [] : made) declared.add(name);
    for (const name of isTop ? made : []) exported.add(name);
    for (const name of isClass ? made : [])
      members.add(name).add(`${scopes.findLast((one) => one.name !== name)?.name}.${name}`);
  }
  if (listed.some((name) => !exported.has(name))) unsure ??= '__all__ names what is not seen here';
  return { exported, declared, members, hidden: new Set(), stars, unsure };
}

function logicalLines(text: string, tokens: readonly Placed[]): Line[] {
  const lines: { indent: number; tokens: Placed[] }[] = [];
  let end = 0;
  let isJoined = false;
  for (const token of tokens) {
    const isNew =
      lines.length === 0 || (text.slice(end, token.start).includes('\n') && token.depth === 0 && !isJoined);
    const closes = token.kind === 'punct' && ')]}'.includes(token.text);
    if (token.text === '\\') isJoined = true;
    else if (token.text === ';' && token.depth === 0)
      lines.push({ indent: lines.at(-1)?.indent ?? 0, tokens: [] });
    else {
      if (isNew && !closes)
        lines.push({ indent: token.start - text.lastIndexOf('\n', token.start - 1) - 1, tokens: [] });
      lines.at(-1)?.tokens.push(token);
      isJoined = false;
    }
    end = token.start + token.text.length;
  }
  return lines;
}

function namesMadeBy(line: readonly Placed[], words: readonly string[]): string[] {
  const [first = '', second = ''] = words;
  if (first === 'def' || first === 'class') return [second];
  if (first === 'type' && words[2] === '=') return [second];
  if (first === 'import' || first === 'from') return imported(words, first === 'from');
  if (first === 'for') return words.slice(1, words.indexOf('in')).filter(isName);
  const assigned = line.findLastIndex(
    ({ text, depth, kind }) => kind === 'punct' && text === '=' && depth === 0,
  );
  const annotated =
    words[1] === ':' &&
    line.length > 2 &&
    isName(first) &&
    first !== 'else' &&
    first !== 'try' &&
    first !== 'finally';
  if (annotated) return [first];
  if (assigned < 0) return [];
  const before = line.slice(0, assigned);
  return before.flatMap(({ text, kind }, at) => {
    const isWhole = before[at - 1]?.text !== '.' && !['.', '(', '['].includes(before[at + 1]?.text ?? '');
    return kind === 'word' && isWhole ? [text] : [];
  });
}

function imported(words: readonly string[], isFrom: boolean): string[] {
  const list = isFrom ? words.slice(words.indexOf('import') + 1) : words.slice(1);
  return list.flatMap((word, at) => {
    const next = list[at + 1];
    if (!isName(word) || word === 'as' || next === 'as' || list[at - 1] === '.') return [];
    return [word];
  });
}

function isName(word: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(word);
}
