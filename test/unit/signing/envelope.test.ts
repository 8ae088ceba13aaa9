import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope, readExactly, signedBytes, writeEnvelope } from '../../../src/io/signing/envelope.ts';

const text = fc.string({ unit: 'binary' });

describe('what is signed of an envelope', () => {
  it('is what DSSE says, with lengths in bytes', () => {
    const bytes = signedBytes('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(bytes.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
    expect(signedBytes('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü');
  });

  it('is another one for another type or payload', () => {
    fc.assert(
      fc.property(text, text, text, text, (type, payload, otherType, otherPayload) => {
        const bytes = [type, payload, otherType, otherPayload].map((one) => Buffer.from(one));
        const [t1, p1, t2, p2] = bytes as [Buffer, Buffer, Buffer, Buffer];
        const isSame = t1.equals(t2) && p1.equals(p2);
        expect(signedBytes(type, p1).equals(signedBytes(otherType, p2))).toBe(isSame);
      }),
    );
    // The border between type and content is part of what is signed.
    expect(signedBytes('a b', Buffer.from('c'))).not.toEqual(signedBytes('a', Buffer.from('b c')));
  });
});

it('an envelope is read as it was written', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.uint8Array({ minLength: 1 }), (payload, signature) => {
      const written = writeEnvelope('a/b', payload, 'SHA256:x', Buffer.from(signature));
      expect(written.trimEnd()).not.toContain('\n');
      expect(readEnvelope(written)).toEqual({
        ok: true,
        value: { type: 'a/b', payload: Buffer.from(payload), signatures: [Buffer.from(signature)] },
      });
    }),
  );
});

it('JSON is read as JSON.parse reads it, or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(readExactly(json)).toEqual({ ok: true, value: JSON.parse(json) });
    }),
  );
});

it.each([
  ['{"a":1,"a":1}', 'has "a" twice'],
  ['[{"a":{"b":1,"b":2}}]', 'has "b" twice'],
  // The same name is written in another way.
  ['{"a":1,"\\u0061":2}', 'has "a" twice'],
  ['{"__proto__":1,"__proto__":2}', 'has "__proto__" twice'],
])('%s %s', (json, reason) => {
  expect(readExactly(json)).toEqual({ ok: false, reason });
});

it.each(['', '{', '{}{}', "{'a':1}", '{"a":1,}', '{"a":1} // no', 'NaN', '[01]'])(
  '%s is not JSON',
  (json) => {
    expect(readExactly(json)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^isn't whole JSON/),
    });
  },
);
