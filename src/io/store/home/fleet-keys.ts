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
import * as z from 'zod/mini';
import type { Seal } from '../../../domain/ports/fleet.ts';
import { tryOr } from '../../../lib/try-or.ts';
import { writeFileAtomic } from '../../files/atomic-file.ts';
import { orStoreError } from '../../files/store-error.ts';

/** A machine of a fleet that is believed here. */
const Enrolled = z.object({
  /** The public key: Ed25519, in hex. */
  key: z.string(),
  name: z.string(),
});
export type Enrolled = z.infer<typeof Enrolled>;

/** In hex: what begins with a dash would be an option of a command. */
const KEY_FORM = /^[0-9a-f]{64}$/;

/** Whether a text can be the public key of a machine. */
export function isFleetKey(text: string): boolean {
  return KEY_FORM.test(text) && tryOr(false, () => publicKey(text).asymmetricKeyType === 'ed25519');
}

/** What this clone signs with, and whom it believes. Both lie outside of the repository. @throws StoreError */
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

/** The key of this clone, made where there is none. */
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

/** Machines that are believed here. A list that can't be read is empty. */
export function readEnrolled(stateHome: string): readonly Enrolled[] {
  return tryOr([], () => z.array(Enrolled).parse(JSON.parse(readFileSync(listOf(stateHome), 'utf8'))));
}

/** Believes a machine from now on, or (`null`) no longer. @throws StoreError */
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
