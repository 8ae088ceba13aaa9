import { homedir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-file.ts';
import { namesIn, readPlainFile } from '../files/plain-file.ts';
import { askSsh, inSigningFolder, signMessage } from './ssh-keygen.ts';

/** What signatures are made for, so that one made for something else counts for nothing. */
const NAMESPACE = 'ralph-human-gate';

/** Someone whose signature counts. */
export type Signer = { readonly name: string; readonly keys: readonly string[] };

export type Signed =
  | { readonly ok: true; readonly key: string; readonly text: string }
  | { readonly ok: false; readonly reason: string };

type Place = {
  /** A private folder outside of the repository; a folder in it is made and removed. */
  readonly folder: string;
  /** Of the repository. */
  readonly cwd: string;
  /** A private key to use in the place of those in `~/.ssh` and in the agent; `null`: those. */
  readonly keyFile: string | null;
};

/** Signs a text with one of these keys: in ssh-agent, else in a file. It may ask you for a passphrase. */
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

/**
 * Whose signature of a text it is; `null`: of none of them, or of another text. The list of signers is written anew for
 * each question, so an edit of an old one changes nothing.
 */
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

/** Kind and key of a public key, without its comment. */
export function plainKey(key: string): string {
  return key.trim().split(/\s+/).slice(0, 2).join(' ');
}

async function agentKeys(cwd: string): Promise<string[]> {
  if (process.env.SSH_AUTH_SOCK === undefined) return [];
  const listed = await askSsh(cwd, 'ssh-add', ['-L'], '');
  return listed.ok ? listed.stdout.split('\n').map(plainKey) : [];
}

/** The private keys whose public half lies beside them. */
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
