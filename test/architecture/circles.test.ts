import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { sourceFiles } from '../helpers/source-files.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** What lies in `src/io`, lowest first: each imports only what stands before it; `.` are the files outside of a folder. */
const IO = [
  ...['.', 'serve', 'hook', 'proc', 'modules', 'handlers', 'signing', 'tracker', 'code-host', 'ui', 'notify'],
];

type Import = readonly [from: string, to: string];

function importsOf(path: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, path), 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => [path, join(dirname(path), fileName)]);
}

const imports = sourceFiles().flatMap(importsOf);

/** The folders in which a file or folder leads back to itself over what lies beside it, with that. */
function circlesIn(all: readonly Import[]): Record<string, string[]> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const [from, to] of all) {
    const [a, b] = [from.split('/'), to.split('/')];
    const depth = a.findIndex((name, index) => name !== b[index]);
    const [left, right] = [a[depth], b[depth]];
    if (left === undefined || right === undefined) continue;
    const folder = a.slice(0, depth).join('/') || '.';
    const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
    graphs.set(folder, graph.set(left, (graph.get(left) ?? new Set()).add(right)));
  }
  const found = [...graphs].map(([folder, graph]) => [
    folder,
    [...graph.keys()].filter((name) => reachedFrom(graph, name).has(name)).toSorted(),
  ]);
  return Object.fromEntries(found.filter(([, names = '']) => names.length > 0));
}

function reachedFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  const left = [start];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const next = [...(graph.get(name) ?? [])].filter((one) => !reached.has(one));
    for (const one of next) reached.add(one);
    left.push(...next);
  }
  return reached;
}

/** Imports of a folder of `src/io` that don't lead to one before it. */
function againstTheOrder(all: readonly Import[]): string[] {
  const placeOf = (path: string) => IO.indexOf(/^io\/([^/]+)\//.exec(path)?.[1] ?? '.');
  return all
    .filter(([from, to]) => from.startsWith('io/') && to.startsWith('io/'))
    .filter(([from, to]) => placeOf(from) < 0 || placeOf(to) > placeOf(from))
    .map(([from, to]) => `${from} imports ${to}`);
}

it('no folder imports itself by way of another one beside it', () => {
  expect(circlesIn(imports)).toEqual({});
});

it('the folders of io have an order', () => {
  expect(againstTheOrder(imports)).toEqual([]);
});

it('a circle is found, however long and wherever the files lie', () => {
  const circle: Import[] = [
    ['io/serve/a.ts', 'io/hook/deep/b.ts'],
    ['io/hook/c.ts', 'io/proc/index.ts'],
    ['io/proc/deep/d.ts', 'io/serve/e.ts'],
    ['io/ids.ts', 'io/serve/a.ts'],
  ];
  expect(circlesIn(circle)).toEqual({ io: ['hook', 'proc', 'serve'] });
  expect(againstTheOrder(circle)).toEqual([
    'io/serve/a.ts imports io/hook/deep/b.ts',
    'io/hook/c.ts imports io/proc/index.ts',
    'io/ids.ts imports io/serve/a.ts',
  ]);
});
