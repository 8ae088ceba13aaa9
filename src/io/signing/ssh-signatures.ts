import { join, resolve } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { askSsh, inSigningFolder, signMessage } from './ssh-keygen.ts';

type Place = {
  /** Private folder for temporary files. */
  readonly folder: string;
  readonly cwd: string;
};

export type BytesSigned =
  | { readonly ok: true; readonly signature: Buffer; readonly fingerprint: string }
  | { readonly ok: false; readonly reason: string };

export type SignatureCheck =
  | { readonly ok: true; readonly signer: string; readonly fingerprint: string }
  /** End of a sentence about the signature. */
  | { readonly ok: false; readonly reason: string };

const BEGIN = '-----BEGIN SSH SIGNATURE-----';
const END = '-----END SSH SIGNATURE-----';

/** Returns the key file in git's `user.signingKey`; `null` when the value is a public key. */
export function keyFileOf(key: string, cwd: string): string | null {
  return /^(?:key::|(?=ssh-|ecdsa-|sk-)\S+\s)/.test(key) ? null : resolve(cwd, key);
}

/** May ask for a passphrase. @param key As in `user.signingKey`: a file relative to `cwd`, or an agent's public key. */
export async function signBytes(
  bytes: Uint8Array,
  key: string,
  namespace: string,
  { folder, cwd }: Place,
): Promise<BytesSigned> {
  return inSigningFolder(folder, async (inside) => {
    const known = keyFileOf(key, cwd);
    const file = known ?? join(inside, 'key.pub');
    if (known === null)
      replaceFile(file, `${key.replace(/^key::/, '')}\n`, { mode: 0o600, durability: 'none' });
    const made = await signMessage(cwd, inside, bytes, { namespace, key: file });
    if (!made.ok) return made;
    const signature = Buffer.from(made.armored.replace(BEGIN, '').replace(END, ''), 'base64');
    const shown = await askSsh(cwd, 'ssh-keygen', ['-l', '-f', file], null);
    return { ok: true, signature, fingerprint: shown.ok ? fingerprintIn(shown.stdout) : '' };
  });
}

type Whose = {
  readonly namespace: string;
  /** Lists of accepted signers and, if set, revoked keys (`gpg.ssh.revocationFile`). */
  readonly allowed: string;
  readonly revoked: string | null;
};

/** Checks a signature's purpose and that git's `gpg.ssh.allowedSignersFile` accepts its key now. */
export async function checkSignature(
  bytes: Uint8Array,
  signature: Buffer,
  { namespace, allowed, revoked }: Whose,
  { folder, cwd, limitMs }: Place & { readonly limitMs?: number },
): Promise<SignatureCheck> {
  return inSigningFolder(folder, async (inside) => {
    const file = join(inside, 'signature');
    const body = signature.toString('base64').replace(/.{70}/g, '$&\n').trimEnd();
    replaceFile(file, `${BEGIN}\n${body}\n${END}\n`, { mode: 0o600, durability: 'none' });
    const ask = (what: string, ...args: string[]) =>
      askSsh(
        cwd,
        'ssh-keygen',
        ['-Y', what, ...args, '-s', file],
        what === 'find-principals' ? null : bytes,
        limitMs,
      );
    const fits = await ask('check-novalidate', '-n', namespace);
    if (!fits.ok) {
      if (fits.stderr === '') return { ok: false, reason: `can't be checked: ${fits.reason}` };
      const isForOther = fits.stderr.includes('namespace');
      return { ok: false, reason: isForOther ? `was made for something else than ${namespace}` : CHANGED };
    }
    const fingerprint = fingerprintIn(fits.stdout);
    const known = await ask('find-principals', '-f', allowed);
    if (!known.ok && known.stderr === '') return { ok: false, reason: `can't be checked: ${known.reason}` };
    const names = known.ok ? known.stdout.split('\n').filter(Boolean) : [];
    let refused = known.ok ? '' : known.stderr;
    for (const signer of names) {
      const verify = ['verify', '-n', namespace, '-f', allowed, '-I', signer] as const;
      const verified = await ask(...verify);
      if (verified.ok && revoked !== null && !(await ask(...verify, '-r', revoked)).ok)
        return { ok: false, reason: `is by key ${fingerprint}, which ${revoked} revokes` };
      if (verified.ok) return { ok: true, signer, fingerprint };
      if (!verified.ok && verified.stderr === '')
        return { ok: false, reason: `can't be checked: ${verified.reason}` };
      refused = verified.stderr;
    }
    return { ok: false, reason: whyNotAllowed(refused, fingerprint, allowed, namespace) };
  });
}

const CHANGED = 'is of other content: this was changed after it was signed';

/** Returns the reason from ssh-keygen's output about the list. */
function whyNotAllowed(stderr: string, fingerprint: string, allowed: string, namespace: string): string {
  const key = `is by key ${fingerprint}`;
  const [, time] = /key has expired: .*valid-before (\S+)/.exec(stderr) ?? [];
  if (time !== undefined) return `${key}, which counts until ${time} in ${allowed}`;
  if (stderr.includes('not yet valid')) return `${key}, which doesn't count yet in ${allowed}`;
  if (stderr.includes('not permitted for use'))
    return `${key}, whose namespaces in ${allowed} don't have ${namespace}`;
  return `${key}, which isn't in ${allowed}`;
}

function fingerprintIn(text: string): string {
  return /SHA256:[\w+/=]+/.exec(text)?.[0] ?? '';
}
