import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './repository.ts';

export type SigningKey = {
  /** Absolute path of the private key, which has no passphrase. */
  readonly file: string;
  /** Public half of the key, without a comment. */
  readonly key: string;
};

/** Makes a new SSH key. */
export function makeSigningKey(): SigningKey {
  const file = join(temporaryFolder(), 'id_ed25519');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file]);
  return { file, key: readFileSync(`${file}.pub`, 'utf8').trim() };
}
