import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ATTACKS } from '../../torture/hostile/attacks/index.ts';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Values that a module declares, by name; `all`: those that it keeps to itself, too. */
function declared(path: string, all = false): string[] {
  const prefix = all ? '(?:export )?' : 'export ';
  const found = textOf(path).matchAll(
    new RegExp(`^${prefix}(?:async )?(?:const|function\\*?|class) (\\w+)`, 'gm'),
  );
  return [...found].map(([, name = '']) => name);
}

it('what stands in for a protection in `torture -- hostile` is declared by the protection', () => {
  const pairs = new Map(ATTACKS.flatMap(({ without }) => Object.entries(without)));
  const missing = [...pairs].flatMap(([module, standIn]) => {
    const there = declared(module, true);
    return declared(`torture/hostile/without/${standIn}`)
      .filter((name) => !there.includes(name))
      .map((name) => `${module} has no ${name} of ${standIn}`);
  });
  expect(missing).toEqual([]);
});

it('each attack of the threat model is played, and no other', () => {
  const listed = textOf('docs/internals/attacks.md').matchAll(/^\| `([\w-]+)` \|/gm);
  expect(ATTACKS.map(({ name }) => name).toSorted()).toEqual(
    [...listed].map(([, name = '']) => name).toSorted(),
  );
});
