import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ATTACKS } from '../../torture/hostile/attacks/index.ts';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Values that a module exports, by name. */
function exportsOf(path: string): string[] {
  const text = textOf(path);
  const declared = text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm);
  const listed = text.matchAll(/^export \{([^}]*)\}/gm);
  const names = [...listed].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return [...[...declared].map(([, name = '']) => name), ...names.filter((name) => name !== '')];
}

it('what stands in for a protection in `torture -- hostile` offers all that the protection does', () => {
  const pairs = new Map(ATTACKS.flatMap(({ without }) => Object.entries(without)));
  const missing = [...pairs].flatMap(([module, standIn]) => {
    const there = exportsOf(`torture/hostile/without/${standIn}`);
    return exportsOf(module)
      .filter((name) => !there.includes(name))
      .map((name) => `${standIn} lacks ${name} of ${module}`);
  });
  expect(missing).toEqual([]);
});

it('each attack of the threat model is played, and no other', () => {
  const listed = textOf('docs/internals/attacks.md').matchAll(/^\| `([\w-]+)` \|/gm);
  expect(ATTACKS.map(({ name }) => name).toSorted()).toEqual(
    [...listed].map(([, name = '']) => name).toSorted(),
  );
});
