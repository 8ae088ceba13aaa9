import { bare, closing, DEEP, type Names, type Placed, placed } from '../exported.ts';

const DECLARES = new Set([
  'function',
  'class',
  'const',
  'let',
  'var',
  'interface',
  'enum',
  'type',
  'namespace',
  'module',
]);
const BEFORE = new Set(['declare', 'abstract', 'async', 'default']);
const MODIFIERS = new Set(
  'static async get set public private protected readonly abstract override declare accessor'.split(' '),
);
const GLOBALS = new Set(['window', 'globalThis', 'self', 'global']);

/** Returns the names of an ES module or a CommonJS module. */
export function javascriptNames(path: string, text: string): Names {
  const { tokens, balanced } = placed(path, text);
  const reader = new Reader(tokens);
  reader.read();
  const unsure = reader.unsure ?? (balanced ? null : "its brackets can't be matched");
  const isSure = reader.isModule && unsure === null && reader.stars.length === 0 && !/\.[jt]sx$/.test(path);
  return {
    exported: reader.exported,
    declared: reader.declared,
    members: reader.membersOfExported(),
    hidden: new Set(isSure ? [...reader.top].filter((name) => reader.isHidden(name)) : []),
    stars: reader.stars,
    unsure,
  };
}

class Reader {
  readonly exported = new Set<string>();
  readonly declared = new Set<string>();
  /** Names declared or imported outside all brackets. */
  readonly top = new Set<string>();
  readonly stars: string[] = [];
  unsure: string | null = null;
  isModule = false;
  /** Members by owner; `default` stands for an owner without a name. */
  private readonly members = new Map<string, Set<string>>();
  /** Objects and classes whose members are exported. */
  private readonly owners = new Set<string>(['default']);
  /** Words of exported expressions, and names set on other objects. */
  private readonly elsewhere = new Set<string>();

  private hasDefault = false;
  private readonly tokens: readonly Placed[];

  constructor(tokens: readonly Placed[]) {
    this.tokens = tokens;
  }

  read(): void {
    for (let at = 0; at < this.tokens.length; at += 1) {
      const token = this.tokens[at];
      if (token === undefined || token.kind !== 'word' || this.text(at - 1) === '.') continue;
      if (token.depth > DEEP) continue;
      if (token.depth === 0 && token.text === 'export') this.readExport(at + 1);
      else if (token.depth === 0 && token.text === 'import') this.readImport(at + 1);
      else if (token.text === 'exports' || token.text === 'module') this.readCommonJs(at);
      else if (token.text === 'require' && this.text(at + 1) === '(') this.isModule = true;
      else if (GLOBALS.has(token.text) && this.text(at + 1) === '[')
        this.unsure ??= 'names are made while it runs';
      if (DECLARES.has(token.text)) this.readDeclaration(at);
      else this.readAssignment(at);
    }
  }

  isHidden(name: string): boolean {
    return !this.exported.has(name) && !this.elsewhere.has(name) && !this.membersOfExported().has(name);
  }

  membersOfExported(): Set<string> {
    const found = new Set<string>();
    for (const [owner, members] of this.members) {
      if (!this.owners.has(owner) && !this.exported.has(owner)) continue;
      for (const member of members) found.add(member).add(`${owner}.${member}`);
    }
    return found;
  }

  private text(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  private isWord(at: number): boolean {
    return this.tokens[at]?.kind === 'word';
  }

  private isString(at: number): boolean {
    return this.tokens[at]?.kind === 'string';
  }

  private readExport(from: number): void {
    this.isModule = true;
    let at = from;
    while (this.text(at) === '@') {
      at += 2;
      while (this.text(at) === '.') at += 2;
      if (this.text(at) === '(') at = closing(this.tokens, at) + 1;
    }
    if (this.text(at) === '=') {
      this.unsure ??= 'it has "export ="';
      return;
    }
    if (this.text(at) === 'import') {
      this.exported.add(this.text(at + 1) === 'type' ? this.text(at + 2) : this.text(at + 1));
      return;
    }
    if (this.text(at) === 'type' && ['{', '*'].includes(this.text(at + 1))) at += 1;
    if (this.text(at) === '*') {
      if (this.text(at + 1) === 'as') this.exported.add(bare(this.tokens[at + 2]) || this.text(at + 2));
      else this.stars.push(bare(this.tokens[at + 2]));
      return;
    }
    if (this.text(at) === '{') {
      for (const name of this.namesInBraces(at)) this.exported.add(name);
      return;
    }
    if (this.text(at) === 'default') this.readDefault(at + 1);
    else {
      while (BEFORE.has(this.text(at))) at += 1;
      for (const name of this.declaredAt(at)) this.exported.add(name);
    }
  }

  private readDefault(from: number): void {
    this.exported.add('default');
    let at = from;
    while (BEFORE.has(this.text(at))) at += 1;
    const [declared] = ['function', 'class', 'interface', 'enum'].includes(this.text(at))
      ? this.declaredAt(at)
      : [];
    if (declared !== undefined) {
      this.exported.add(declared);
      return;
    }
    if (this.text(at) === 'class') this.readClass(at, 'default');
    else if (this.text(at) === '{') this.readObject(at, 'default');
    else if (this.isWord(at) && this.endsAt(at + 1)) this.exported.add(this.text(at));
    else this.setAside(at);
  }

  /** Names in an exported expression may be exported. */
  private setAside(from: number): void {
    if (this.hasDefault) return;
    this.hasDefault = true;
    for (let at = from; at < this.tokens.length; at += 1) {
      if (this.text(at) === ';' && this.tokens[at]?.depth === 0) return;
      if (this.isWord(at)) this.elsewhere.add(this.text(at));
    }
  }

  /** Whether a statement ends before this token. */
  private endsAt(at: number): boolean {
    const token = this.tokens[at];
    return token === undefined || token.text === ';' || token.kind === 'word' || token.text === '@';
  }

  private readImport(from: number): void {
    this.isModule = true;
    for (let at = from; at < this.tokens.length && !this.isString(at) && this.text(at) !== ';'; at += 1) {
      if (['(', '.', 'import'].includes(this.text(at))) return;
      if (this.isWord(at) && !['type', 'from', 'as'].includes(this.text(at)) && this.text(at + 1) !== 'as')
        this.top.add(this.text(at));
    }
  }

  /** Reads `{ a, b as c, type D }` and returns the names, after `as` if there is one. */
  private namesInBraces(from: number): string[] {
    const end = closing(this.tokens, from);
    const found: string[] = [];
    for (let at = from + 1; at < end; at += 1) {
      const next = this.text(at + 1);
      if (next === ',' || at + 1 === end) found.push(bare(this.tokens[at]) || this.text(at));
    }
    return found.filter((name) => name !== ',');
  }

  private readDeclaration(at: number): void {
    const isTop = this.tokens[at]?.depth === 0;
    for (const name of this.declaredAt(at)) {
      this.declared.add(name);
      if (isTop) this.top.add(name);
    }
    if (this.text(at) === 'class') this.readClass(at, null);
  }

  private declaredAt(at: number): string[] {
    const keyword = this.text(at);
    const next = this.text(at + 1);
    if (keyword === 'const' && next === 'enum') return [this.text(at + 2)];
    if (keyword === 'function') return this.wordAt(next === '*' ? at + 2 : at + 1);
    if (keyword === 'const' || keyword === 'let' || keyword === 'var') return this.declarators(at + 1);
    if (keyword === 'type' && !['=', '<'].includes(this.text(at + 2))) return [];
    if (keyword === 'class' && (next === 'extends' || next === 'implements')) return [];
    return DECLARES.has(keyword) ? this.wordAt(at + 1) : [];
  }

  private wordAt(at: number): string[] {
    return this.isWord(at) ? [this.text(at)] : [];
  }

  private declarators(from: number): string[] {
    const depth = this.tokens[from]?.depth ?? 0;
    const found: string[] = [];
    let isName = true;
    for (let at = from; at < this.tokens.length; at += 1) {
      const token = this.tokens[at];
      if (token === undefined || token.depth < depth) break;
      if (token.depth > depth) continue;
      if (token.text === ';' || (at > from && DECLARES.has(token.text)) || token.text === 'export') break;
      if (isName && (token.text === '{' || token.text === '[')) {
        found.push(...this.namesInPattern(at));
        at = closing(this.tokens, at);
      } else if (isName && token.kind === 'word') {
        // `>` closes a type's second argument.
        if (this.text(at + 1) === '>') {
          isName = false;
          continue;
        }
        if (at > from && !['=', ':', ',', ';', '!'].includes(this.text(at + 1))) break;
        found.push(token.text);
        if (this.text(at + 1) === '=' && this.text(at + 2) === '{') this.readObject(at + 2, token.text);
        if (this.text(at + 1) === ':') this.readTyped(at, token.text);
      }
      isName = token.text === ',';
    }
    return found;
  }

  /** Reads a typed object such as `const x: Type = { … }`. */
  private readTyped(from: number, owner: string): void {
    const depth = this.tokens[from]?.depth;
    for (let at = from + 1; at < from + 40; at += 1) {
      if (this.tokens[at]?.depth !== depth) continue;
      if (this.text(at) === ';') return;
      if (this.text(at) !== '=') continue;
      if (this.text(at + 1) === '{') this.readObject(at + 1, owner);
      return;
    }
  }

  private namesInPattern(from: number): string[] {
    const found: string[] = [];
    const end = closing(this.tokens, from);
    for (let at = from + 1; at < end; at += 1) {
      const isFirst = ['{', '[', ',', ':', '...'].includes(this.text(at - 1));
      if (this.isWord(at) && isFirst && this.text(at + 1) !== ':') found.push(this.text(at));
    }
    return found;
  }

  private memberOf(owner: string, name: string): void {
    const members = this.members.get(owner) ?? new Set<string>();
    this.members.set(owner, members.add(name));
  }

  /** Reads an object's keys; spread values aren't known. */
  private readObject(from: number, owner: string): void {
    const depth = this.tokens[from]?.depth ?? 0;
    const end = closing(this.tokens, from);
    for (let at = from + 1; at < end; at += 1) {
      if (this.tokens[at]?.depth !== depth + 1) continue;
      if (this.text(at) === '...' && owner === 'default') this.elsewhere.add(this.text(at + 1));
      const isKey = ['{', ',', '*'].includes(this.text(at - 1)) || MODIFIERS.has(this.text(at - 1));
      const name = bare(this.tokens[at]) || (this.isWord(at) ? this.text(at) : '');
      if (isKey && name !== '' && [':', ',', '(', '}', '<'].includes(this.text(at + 1)))
        this.memberOf(owner, name);
    }
  }

  private readClass(at: number, as: string | null): void {
    const owner = as ?? this.declaredAt(at)[0];
    const depth = this.tokens[at]?.depth ?? 0;
    if (owner === undefined) return;
    let from = at + 1;
    while (from < this.tokens.length && !(this.text(from) === '{' && this.tokens[from]?.depth === depth))
      from += 1;
    const end = closing(this.tokens, from);
    for (let index = from + 1; index < end; index += 1) {
      if (this.tokens[index]?.depth !== depth + 1 || !this.isWord(index)) continue;
      const before = this.text(index - 1);
      const isFirst = ['{', '}', ';', '*', '#', ')', ']'].includes(before) || MODIFIERS.has(before);
      if (isFirst && ['(', '=', ':', ';', '<', '?', '!', '}'].includes(this.text(index + 1)))
        this.memberOf(owner, this.text(index));
    }
  }

  /** Reads an assignment such as `api.month = …` or `exports.month = …`. */
  private readAssignment(at: number): void {
    if (this.text(at + 1) !== '.' || this.text(at + 3) !== '=') return;
    this.memberOf(this.text(at), this.text(at + 2));
    this.elsewhere.add(this.text(at + 2));
  }

  private readCommonJs(at: number): void {
    const isWhole = this.text(at) === 'module';
    if (isWhole && !(this.text(at + 1) === '.' && this.text(at + 2) === 'exports')) return;
    if (!isWhole && (['{', ','].includes(this.text(at - 1)) || this.text(at + 1) === ':')) return;
    this.isModule = true;
    const next = isWhole ? at + 3 : at + 1;
    if (this.text(next) === '.') {
      if (this.text(next + 2) === '=') this.exported.add(this.text(next + 1));
    } else if (this.text(next) === '[' && this.isString(next + 1))
      this.exported.add(bare(this.tokens[next + 1]));
    else if (this.text(next) === '=') this.readWhole(next + 1);
    else this.unsure ??= 'its exports are made while it runs';
  }

  /** Reads the value of `module.exports =`. */
  private readWhole(from: number): void {
    const token = this.tokens[from];
    if (this.text(from) === 'exports' || this.text(from) === 'module') return;
    if (this.text(from) === 'require' && this.text(from + 1) === '(' && this.isString(from + 2)) {
      if (this.endsAt(closing(this.tokens, from + 1) + 1)) this.stars.push(bare(this.tokens[from + 2]));
      else this.unsure ??= 'its exports are made while it runs';
    } else if (token?.text === '{') {
      this.readObject(from, 'module.exports');
      for (const name of this.members.get('module.exports') ?? []) this.exported.add(name);
      const end = closing(this.tokens, from);
      const spreads = this.tokens
        .slice(from, end)
        .some((one) => one.text === '...' && one.depth === token.depth + 1);
      if (spreads) this.unsure ??= 'other objects are spread into its exports';
    } else if (['class', 'function', 'async'].includes(this.text(from))) {
      const at = this.text(from) === 'async' ? from + 1 : from;
      const [name] = this.declaredAt(at);
      if (name !== undefined) this.exported.add(name);
    } else if (token?.kind === 'word' && this.endsAt(from + 1)) {
      this.exported.add(token.text);
      this.owners.add(token.text);
    } else this.unsure ??= 'its exports are made while it runs';
  }
}
