import { moduleFiles, type Names, nameReader, placed, roleOf, wordsIn } from 'ralph-ecosystems';
import { nameOf } from 'ralph-kit/paths';
import type { Statement } from './read-criterion.ts';
import { type CriteriaWorld, contradicted, locate, notChecked, type Seen, shown } from './world.ts';

type NameStatement = Extract<Statement, { kind: 'name' }>;

/** Characters of a file that is searched for names. */
const LONGEST = 1_000_000;
/** Characters of a line; with a longer one, a file isn't written by hand. */
const LONG_LINE = 5000;
const GENERATED = /@generated\b|\bDO NOT EDIT\b|\bCode generated\b/i;

/**
 * Returns whether a file exports or defines a name. It is contradicted when the file's code nowhere has the name, or a module certainly
 * doesn't export it; otherwise the result is open.
 */
export function checkName(statement: NameStatement, world: CriteriaWorld): Seen {
  const { name, wants } = statement;
  const place = locate(statement.path, world);
  if (place.kind === 'unclear') return notChecked(place.why);
  if (place.kind === 'missing')
    return (wants === 'present' ? contradicted : notChecked)(`${statement.path} does not exist`);
  const { path } = place;
  const text = world.read(path);
  const read = nameReader(path);
  if (read === null) return notChecked(`names in ${path} are not read`);
  if (text === null || !isReadable(path, text)) return notChecked(`${path} could not be read`);
  const names = withStars(path, read(path, text), world, new Set([path]));
  const found = find(statement, names);
  if (wants === 'absent') return absent(statement, { path, text, names, found });
  const verb = statement.as === 'exported' ? 'export' : 'define';
  if (found !== null) {
    if (statement.signature) return notChecked(`${path} ${verb}s ${name}; its parameters were not compared`);
    return shown(`${path} ${verb}s ${name}`);
  }
  if (names.unsure !== null) return notChecked(`${path} could not be read for sure: ${names.unsure}`);
  if (!mayHave(statement, path, text, world)) return contradicted(`${path} doesn't ${verb} ${name}`);
  if (statement.as === 'exported' && names.hidden.has(name))
    return contradicted(`${path} has ${name}, but doesn't export it`);
  return notChecked(`whether ${path} ${verb}s ${name} could not be read for sure`);
}

function absent(
  statement: NameStatement,
  { path, text, names, found }: { path: string; text: string; names: Names; found: ReturnType<typeof find> },
): Seen {
  const { name, as } = statement;
  const verb = as === 'exported' ? 'export' : 'define';
  if (found === 'itself' && !statement.signature) return contradicted(`${path} ${verb}s ${name}`);
  const isGone = names.unsure === null && !wordsOf(path, text).has(lastPart(name));
  if (isGone || (as === 'exported' && names.hidden.has(name)))
    return shown(`${path} doesn't ${verb} ${name}`);
  return notChecked(`whether ${path} ${verb}s ${name} could not be read for sure`);
}

function find({ name, as }: NameStatement, names: Names): 'itself' | 'member' | null {
  const own = as === 'exported' ? names.exported : new Set([...names.declared, ...names.exported]);
  const full = name.replace(/::|#/g, '.');
  const [base = '', ...rest] = full.split('.');
  if (rest.length === 0) {
    if (own.has(full) && (as === 'exported' || names.declared.has(full))) return 'itself';
    return names.members.has(full) ? 'member' : null;
  }
  const hasBase = own.has(base) || names.declared.has(base);
  const hasMember =
    names.members.has(full) || (names.members.has(lastPart(full)) && rest.length === 1 && !hasOwners(names));
  return hasBase && hasMember ? 'member' : null;
}

function hasOwners({ members }: Names): boolean {
  return [...members].some((one) => one.includes('.'));
}

function mayHave({ name }: NameStatement, path: string, text: string, world: CriteriaWorld): boolean {
  const last = fold(lastPart(name));
  const has = (one: string, content: string) =>
    [...wordsOf(one, content)].some((word) => fold(word) === last);
  if (has(path, text)) return true;
  if (nameOf(path) === '__init__.py') {
    const folder = path.slice(0, -'__init__.py'.length);
    if (world.paths.some((one) => one.startsWith(`${folder}${lastPart(name)}`))) return true;
  }
  if (!path.endsWith('.go')) return false;
  // Files of a folder share a package in Go, so the name may be in another one.
  const folder = path.slice(0, -nameOf(path).length);
  return world.paths.some((one) => {
    if (one === path || !one.endsWith('.go') || folder + nameOf(one) !== one) return false;
    const content = world.read(one);
    return content === null || has(one, content);
  });
}

function withStars(path: string, names: Names, world: CriteriaWorld, visited: ReadonlySet<string>): Names {
  const [exported, members] = [new Set(names.exported), new Set(names.members)];
  let { unsure } = names;
  for (const star of names.stars) {
    const file = moduleFiles(path, star)?.find((one) => world.paths.includes(one));
    if (file !== undefined && visited.has(file)) continue;
    const text = file === undefined ? null : world.read(file);
    const read = file === undefined ? null : nameReader(file);
    if (file === undefined || text === null || read === null || !isReadable(file, text)) {
      unsure ??= `what it passes on of "${star}" is not seen`;
      continue;
    }
    const other = withStars(file, read(file, text), world, new Set([...visited, file]));
    for (const name of other.exported) if (isPassedOn(file, name)) exported.add(name);
    for (const name of other.members) members.add(name);
    unsure ??= other.unsure;
  }
  return { ...names, exported, members, unsure };
}

function isPassedOn(path: string, name: string): boolean {
  return path.endsWith('.py') ? !name.startsWith('_') : name !== 'default';
}

function isReadable(path: string, text: string): boolean {
  if (text.length > LONGEST || roleOf(path) === 'generated' || /[\0\ufffd]/.test(text)) return false;
  const head = text.split('\n', 10).join('\n');
  return !GENERATED.test(head) && text.split('\n').every((line) => line.length < LONG_LINE);
}

function wordsOf(path: string, text: string): ReadonlySet<string> {
  return wordsIn(placed(path, text).tokens);
}

function lastPart(name: string): string {
  return name.split(/\.|::|#/).at(-1) ?? name;
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[_$]/g, '');
}
