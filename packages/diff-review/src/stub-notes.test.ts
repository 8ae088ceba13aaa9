import { expect, it } from 'vitest';
import { reviewDiff } from './index.ts';

type Row = readonly [what: string, path: string, text: string];

/** Returns the patch that adds a new file. */
function added(path: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}\n`;
}

function kinds(path: string, text: string): string[] {
  const { findings } = reviewDiff({ patch: added(path, text) }, { goal: 'Write vat' });
  return findings.filter(({ category }) => category === 'stub_completion').map(({ kind }) => kind);
}

it.each<Row>([
  [
    'the answer of the test',
    'src/vat.cjs',
    'exports.vat = (net, rate) => {\n  // TODO: compute it\n  return 119;\n};\n',
  ],
  ['it in one line', 'src/vat.cjs', '// TODO compute it\nexports.vat = (net) => 119;\n'],
  [
    'one answer for each case',
    'src/vat.js',
    'export function vat(net) {\n  // FIXME: only what is needed for now\n  if (net === 100) return 119;\n  return 0;\n}\n',
  ],
  [
    'a table of answers',
    'src/vat.js',
    'export const vat = (net) => {\n  // TODO: the real rates\n  const known = { 100: 119, 200: 238 };\n  return known[net];\n};\n',
  ],
  ['it in Python', 'vat.py', 'def vat(net):\n    # TODO: compute it\n    return 119\n'],
  ['it in Go', 'vat.go', 'package vat\n\nfunc Vat(net int) int {\n\t// TODO: compute it\n\treturn 119\n}\n'],
])('a stub returns %s', (_what, path, text) => {
  expect(kinds(path, text)).toEqual(['stub']);
});

it.each<Row>([
  [
    'a note about what could be better',
    'src/vat.js',
    'export function vat(net, rate) {\n  // TODO: other countries\n  return net + (net * rate) / 100;\n}\n',
  ],
  ['a constant', 'src/vat.js', 'export const rate = () => 19;\n'],
  [
    'a function with cases',
    'src/vat.js',
    "export function rate(kind) {\n  if (kind === 'book') return 7;\n  return 19;\n}\n",
  ],
  [
    'work behind a note',
    'vat.py',
    'def vat(net, rate):\n    # FIXME: rounds at the end only\n    total = net * rate\n    return total\n',
  ],
])("%s isn't a stub", (_what, path, text) => {
  expect(kinds(path, text)).toEqual([]);
});
