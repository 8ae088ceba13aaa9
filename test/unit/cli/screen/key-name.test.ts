import { expect, it } from 'vitest';
import { keyName } from '../../../../src/cli/screen/press.ts';

it.each<[string | undefined, Parameters<typeof keyName>[1], string | null]>([
  ['a', { name: 'a' }, 'a'],
  ['X', { name: 'x', shift: true }, 'X'],
  ['?', {}, '?'],
  ['漢', {}, '漢'],
  ['\r', { name: 'return' }, '<enter>'],
  ['\t', { name: 'tab' }, '<tab>'],
  [undefined, { name: 'tab', shift: true }, '<shift-tab>'],
  ['\u0003', { name: 'c', ctrl: true }, '<ctrl-c>'],
  [undefined, { name: 'escape', meta: true }, '<escape>'],
  [undefined, { name: 'f5' }, null],
  // The key `a` with Alt isn't the key `a`.
  ['a', { name: 'a', meta: true }, null],
  ['\u0000', {}, null],
])('%j %j', (text, key, name) => expect(keyName(text, key)).toBe(name));
