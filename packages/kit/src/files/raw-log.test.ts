import { closeSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { endLog, openRawLog } from 'ralph-kit/files/raw-log';
import { byteRedactor } from 'ralph-kit/redact';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/helpers/repository.ts';

/** Shorter than the longest token below. */
const REACH = 6000;
const hide = Object.assign(byteRedactor(['a given söcret']), { reach: REACH });
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

function ended(bytes: string, piece: number) {
  const path = join(temporaryFolder(), 'output.log');
  const log = openRawLog(path);
  writeSync(log, Buffer.from(bytes, 'latin1'));
  const at = endLog(path, log, hide, piece);
  closeSync(log);
  expect(existsSync(`${path}.open`)).toBe(false);
  return { text: readFileSync(path, 'latin1'), at };
}

const keyLines = (count: number) => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(count);
const part = fc.oneof(
  fc.constantFrom(
    'compiled 12 files\n',
    'ok\n',
    'é ü ß\n',
    'password: xK9_unlikely42\n',
    'password:\n  xK9_unlikely42\n',
    'a given söcret',
    'Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345\n',
    '[redacted]',
    'x'.repeat(300),
    `ghp_${'a1B2'.repeat(REACH / 2)} `,
  ),
  fc.nat(40).map((count) => `ghp_${'a1B2'.repeat(9 + count * 10)} `),
  fc
    .nat(60)
    .map(
      (count) =>
        `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${keyLines(count + 1)}-----END RSA PRIVATE ${'KEY'}-----\n`,
    ),
);

it('hides piece by piece what it hides in a whole log, and moves offsets in the same way', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 25 }), fc.integer({ min: 1, max: 3000 }), (parts, piece) => {
      const bytes = bytesOf(parts.join(''));
      const whole = hide(bytes);
      const { text, at } = ended(bytes, piece);
      expect(text).toBe(whole.text);
      const offsets = [...bytes].map((_, offset) => offset);
      expect(offsets.map(at)).toEqual(offsets.map(whole.at));
    }),
    { numRuns: 60 },
  );
});
