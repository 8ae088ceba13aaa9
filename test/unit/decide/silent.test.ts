import { expect, it } from 'vitest';
import { WITHOUT_BLOCK } from '../../../src/domain/verdict.ts';
import { isNewlySilent, silentText } from '../../../src/tell/silent.ts';
import { attempt } from '../blocked/facts.ts';

const SILENT = attempt({
  verdict: 'progress',
  cause: `1 file changed, completion is not claimed: ${WITHOUT_BLOCK}.`,
});
const SPEAKS = attempt({ verdict: 'progress', cause: '1 file changed, completion is not claimed.' });
const FAILED = attempt();

it.each([
  [[], null, false],
  [[SILENT, SILENT], null, false],
  [[SILENT, SILENT, SILENT], 3, true],
  [[SILENT, SILENT, SILENT, SILENT], 4, false],
  [[SPEAKS, FAILED, SILENT, SILENT, SILENT, SILENT, SILENT, SILENT], 6, true],
  [[SILENT, SILENT, SILENT, SPEAKS], null, false],
  [[SILENT, SILENT, FAILED, SILENT], null, false],
])('attempts without a status block, %#', (attempts, count, isNew) => {
  const text = silentText(attempts);
  expect(text === null ? null : Number.parseInt(text, 10)).toBe(count);
  expect(isNewlySilent(attempts)).toBe(isNew);
});
