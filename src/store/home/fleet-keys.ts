import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seal } from 'ralph-fleet/jobs';
import { writeFileAtomic } from 'ralph-kit/files/atomic-file';
import { orStoreError } from 'ralph-kit/files/store-error';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';

const Enrolled = z.object({
  /** Public key: Ed25519, in hex. */
  key: z.string(),
  name: z.string(),
});
export type Enrolled = z.infer<typeof Enrolled>;

/** Hex excludes a leading dash, which would make a key an option of a command. */
const KEY_FORM = /^[0-9a-f]{64}$/;

export function isFleetKey(text: string): boolean {
  return KEY_FORM.test(text) && tryOr(false, () => publicKey(text).asymmetricKeyType === 'ed25519');
}

/** Opens this clone's signing key and its list of trusted machines, both outside the repository. @throws StoreError */
export function openSeal(stateHome: string): Seal {
  const secret = keepSecret(join(stateHome, 'fleet', 'key.pem'));
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' });
  const key = Buffer.from(x, 'base64url').toString('hex');
  return {
    key,
    sign: (text) => sign(null, Buffer.from(text), secret).toString('base64url'),
    isEnrolled: (other) => readEnrolled(stateHome).some((one) => one.key === other),
    isSigned: (text, signature, by) =>
      KEY_FORM.test(by) &&
      tryOr(false, () => verify(null, Buffer.from(text), publicKey(by), Buffer.from(signature, 'base64url'))),
  };
}

function keepSecret(path: string): KeyObject {
  return orStoreError('The key of this clone cannot be kept', () => {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    try {
      writeFileSync(path, made, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return createPrivateKey(readFileSync(path));
  });
}

function publicKey(key: string): KeyObject {
  const x = Buffer.from(key, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** Returns trusted machines; empty when the list is unreadable. */
export function readEnrolled(stateHome: string): readonly Enrolled[] {
  return tryOr([], () => z.array(Enrolled).parse(JSON.parse(readFileSync(listOf(stateHome), 'utf8'))));
}

/** Trusts a machine, or no longer (`null`). @throws StoreError */
export function enrol(stateHome: string, key: string, name: string | null): void {
  const others = readEnrolled(stateHome).filter((one) => one.key !== key);
  const list = name === null ? others : [...others, { key, name }];
  orStoreError('The list of machines cannot be written', () => {
    mkdirSync(join(stateHome, 'fleet'), { recursive: true, mode: 0o700 });
    writeFileAtomic(listOf(stateHome), `${JSON.stringify(list, null, 1)}\n`);
  });
}

function listOf(stateHome: string): string {
  return join(stateHome, 'fleet', 'enrolled.json');
}
