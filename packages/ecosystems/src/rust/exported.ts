import { closing, DEEP, type Names, placed } from '../exported.ts';

const ITEMS = new Set(['fn', 'struct', 'enum', 'trait', 'const', 'static', 'type', 'mod', 'union']);
const BEFORE_ITEM = new Set(['async', 'unsafe', 'const', 'extern', 'default', 'mut', 'auto']);
/** Attributes and derives that introduce no names. */
const PLAIN = new Set(
  (
    'allow automatically_derived cfg cfg_attr cold default deny deprecated derive doc expect forbid global_allocator ignore inline link_section ' +
    'macro_export macro_use must_use no_mangle no_std non_exhaustive path repr rustfmt should_panic test track_caller warn feature ' +
    'Clone Copy Debug Default Eq Error Hash Ord PartialEq PartialOrd Serialize Deserialize serde clippy'
  ).split(' '),
);
const PLAIN_MACROS = new Set(
  'assert debug_assert println eprintln format vec panic matches write writeln todo'.split(' '),
);

/** Number of tokens in the longest scope, `(in a::b::c)`, after `pub`. */
const LONGEST_SCOPE = 24;

export function rustNames(path: string, text: string): Names {
  const { tokens, balanced } = placed(path, text);
  const [exported, declared, members, top] = [1, 2, 3, 4].map(() => new Set<string>()) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const stars: string[] = [];
  let unsure = balanced ? null : "its brackets can't be matched";
  const at = (index: number) => tokens[index]?.text ?? '';
  tokens.forEach((token, index) => {
    if (token.depth > DEEP) return;
    if (token.text === '#' && ['[', '!'].includes(at(index + 1))) {
      if (!isPlain(index)) unsure ??= 'an attribute may make names';
    } else if (token.kind !== 'word') return;
    else if (token.text === 'macro_rules' && at(index + 1) === '!') {
      declared.add(at(index + 2));
      if (isExportedMacro(index)) exported.add(at(index + 2));
      else top.add(at(index + 2));
    } else if (token.depth === 0 && at(index + 1) === '!' && !PLAIN_MACROS.has(token.text))
      unsure ??= 'a macro may make names';
    else if (token.text === 'use' && isPublic(index) && token.depth === 0) readUse(index + 1);
    else if (ITEMS.has(token.text) && at(index - 1) !== '.') readItem(index);
  });

  function readItem(index: number): void {
    let name = index + 1;
    while (BEFORE_ITEM.has(at(name)) || at(name) === 'fn' || tokens[name]?.kind === 'string') {
      if (at(name) === 'fn') return;
      name += 1;
    }
    if (tokens[name]?.kind !== 'word') return;
    let before = index - 1;
    while (BEFORE_ITEM.has(at(before)) || tokens[before]?.kind === 'string') before -= 1;
    declared.add(at(name));
    if (tokens[index]?.depth !== 0) members.add(at(name));
    else (isPublic(before + 1) ? exported : top).add(at(name));
  }
  function isPublic(index: number): boolean {
    if (at(index - 1) !== ')') return at(index - 1) === 'pub';
    let open = index - 2;
    while (open > index - LONGEST_SCOPE && at(open) !== '(') open -= 1;
    return at(open - 1) === 'pub';
  }
  function isExportedMacro(index: number): boolean {
    return tokens.slice(Math.max(0, index - 8), index).some(({ text: one }) => one === 'macro_export');
  }
  /** Reads a statement such as `pub use a::{b, c as d, e::*};`. */
  function readUse(from: number): void {
    for (let index = from; index < tokens.length && at(index) !== ';'; index += 1) {
      if (at(index) === '*') unsure ??= 'it passes on all names of another module';
      else if (tokens[index]?.kind === 'word' && [',', '}', ';'].includes(at(index + 1)))
        exported.add(at(index));
    }
  }
  function isPlain(index: number): boolean {
    const open = at(index + 1) === '!' ? index + 2 : index + 1;
    const words = tokens.slice(open + 1, closing(tokens, open)).filter(({ kind }) => kind === 'word');
    const [name] = words;
    if (name?.text !== 'derive') return PLAIN.has(name?.text ?? '');
    return words.every(({ text: one }) => PLAIN.has(one) || one === 'serde');
  }

  const hidden = new Set(unsure === null ? [...top].filter((name) => !exported.has(name)) : []);
  return { exported, declared, members, hidden, stars, unsure };
}
