import { homedir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { namesIn, readPlainFile } from 'ralph-kit/files/plain-file';
import { askSsh, inSigningFolder, signMessage } from './ssh-keygen.ts';

/** Purpose of signatures, so that one made for something else doesn't count. */
const NAMESPACE = 'ralph-human-gate';

export type Signer = { readonly name: string; readonly keys: readonly string[] };

export type Signed =
  | { readonly ok: true; readonly key: string; readonly text: string }
  | { readonly ok: false; readonly reason: string };

type Place = {
  /** Private folder outside the repository for temporary files. */
  readonly folder: string;
  readonly cwd: string;
  /** Private key used instead of those in `~/.ssh` and the agent; `null`: those. */
  readonly keyFile: string | null;
};

/** Signs a text with one of these keys, from ssh-agent or a file. It may ask for a passphrase. */
export async function signWith(text: string, keys: readonly string[], place: Place): Promise<Signed> {
  const wanted = keys.map(plainKey);
  const inAgent = place.keyFile === null ? await agentKeys(place.cwd) : [];
  const files = keyFiles(place.keyFile);
  for (const key of wanted) {
    const file = files.find((one) => one.key === key);
    const isInAgent = inAgent.includes(key);
    if (!isInAgent && file === undefined) continue;
    return inSigningFolder(place.folder, async (folder) => {
      const publicKey = join(folder, 'key.pub');
      replaceFile(publicKey, `${key}\n`, { mode: 0o600, durability: 'none' });
      const by = isInAgent ? publicKey : (file?.path ?? '');
      const made = await signMessage(place.cwd, folder, text, { namespace: NAMESPACE, key: by });
      return made.ok ? { ok: true, key, text: made.armored } : made;
    });
  }
  return { ok: false, reason: 'none of your keys is in ssh-agent or ~/.ssh' };
}

/** Returns `null` for an unknown signer or another text. The list is written per call, so old edits don't matter. */
export async function signerOf(
  text: string,
  signature: string,
  signers: readonly Signer[],
  place: Omit<Place, 'keyFile'>,
): Promise<string | null> {
  return inSigningFolder(place.folder, async (folder) => {
    const allowed = join(folder, 'allowed_signers');
    const file = join(folder, 'signature');
    const lines = signers.flatMap(({ name, keys }) =>
      keys.map((key) => `${name} namespaces="${NAMESPACE}" ${plainKey(key)}\n`),
    );
    replaceFile(allowed, lines.join(''), { mode: 0o600, durability: 'none' });
    replaceFile(file, signature, { mode: 0o600, durability: 'none' });
    for (const { name } of signers) {
      const args = ['-Y', 'verify', '-n', NAMESPACE, '-f', allowed, '-I', name, '-s', file];
      if ((await askSsh(place.cwd, 'ssh-keygen', args, text)).ok) return name;
    }
    return null;
  });
}

/** Returns a public key's type and data without its comment. */
export function plainKey(key: string): string {
  return key.trim().split(/\s+/).slice(0, 2).join(' ');
}

async function agentKeys(cwd: string): Promise<string[]> {
  if (process.env.SSH_AUTH_SOCK === undefined) return [];
  const listed = await askSsh(cwd, 'ssh-add', ['-L'], '');
  return listed.ok ? listed.stdout.split('\n').map(plainKey) : [];
}

/** Returns private keys with a public key file beside them. */
function keyFiles(keyFile: string | null): { readonly path: string; readonly key: string }[] {
  const folder = join(homedir(), '.ssh');
  const inHome = namesIn(folder).filter((name) => name.endsWith('.pub'));
  const paths =
    keyFile === null ? inHome.map((name) => join(folder, name.slice(0, -'.pub'.length))) : [keyFile];
  return paths.flatMap((path) => {
    const half = readPlainFile(`${path}.pub`);
    return half.kind === 'file' ? [{ path, key: plainKey(half.bytes.toString('utf8')) }] : [];
  });
}
