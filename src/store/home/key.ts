import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { linkNew, temporaryName } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readPlainFile } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';

const KEY_FORM = /^[0-9a-f]{64}\n?$/;
const MAC_LENGTH = 32;

/** A repository's secret: text with its code was written by ralph on this machine. */
export type Key = {
  readonly secret: KeyObject;
  /** Eight hex digits that distinguish keys without revealing them. */
  readonly id: string;
};

/** Returns a state home's key; `null` when missing or invalid. */
export function readKey(stateHome: string): Key | null {
  try {
    const file = readPlainFile(keyPath(stateHome), 4096);
    const text = file.kind === 'file' ? file.bytes.toString('latin1') : '';
    return KEY_FORM.test(text) ? keyOf(text.trim()) : null;
  } catch {
    return null;
  }
}

/**
 * Returns a state home's key, made when missing; two processes get the same one.
 * @param known This process's key, restored when it was removed or replaced.
 * @throws The Node error when the key can't be written.
 */
export function keepKey(stateHome: string, known: Key | null): Key {
  const there = readKey(stateHome);
  if (there !== null && (known === null || known.id === there.id)) return there;
  mkdirSync(stateHome, { recursive: true, mode: 0o700 });
  const path = keyPath(stateHome);
  if (lstatOrNull(path) !== null) renameSync(path, `${path}.damaged-${randomBytes(4).toString('hex')}`);
  const hex = known?.secret.export().toString('hex') ?? randomBytes(32).toString('hex');
  const temporary = join(stateHome, temporaryName('key'));
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(fd, `${hex}\n`);
    fsyncSync(fd);
    linkNew(temporary, path);
  } finally {
    closeSync(fd);
    rmSync(temporary, { force: true });
  }
  return readKey(stateHome) ?? keyOf(hex);
}

/** Returns a code of 32 hex digits over both texts. Each use needs its own first text. */
export function macOf(key: Key, first: string, second: string | Uint8Array): string {
  return createHmac('sha256', key.secret).update(first).update(second).digest('hex').slice(0, MAC_LENGTH);
}

export function keyPath(stateHome: string): string {
  return join(stateHome, 'key');
}

function keyOf(hex: string): Key {
  const id = sha256(`ralph key ${hex}`).slice(0, 8);
  return { secret: createSecretKey(Buffer.from(hex, 'hex')), id };
}
