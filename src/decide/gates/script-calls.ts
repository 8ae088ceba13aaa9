import { BARE_PROGRAMS } from '../../actions/effects/index.ts';
import { type Field, newBudget, readScript } from '../../actions/shell/index.ts';

/** A command of a script: its words, and the folder that it runs in where that is known. */
export type ScriptCall = { readonly words: readonly string[]; readonly cwd: string | null };

/** Gates are looked at twice in an iteration and rarely change: so many readings are kept. */
const MOST_READINGS = 64;
const readings = new Map<string, readonly ScriptCall[]>();

/** The commands in the text of a shell script; equal texts are read once. */
export function scriptCalls(text: string, cwd: string, root: string): readonly ScriptCall[] {
  const key = JSON.stringify([text, cwd, root]);
  const known = readings.get(key);
  if (known !== undefined) return known;
  const start = { cwd, home: null, root, tmpdir: '/tmp' };
  const calls = readScript(text, start, newBudget(), BARE_PROGRAMS).commands.map(({ argv, cwds }) => ({
    words: argv.map(exactWord),
    cwd: cwds.find((one) => one !== null) ?? null,
  }));
  const [oldest] = readings.size < MOST_READINGS ? [] : readings.keys();
  if (oldest !== undefined) readings.delete(oldest);
  readings.set(key, calls);
  return calls;
}

/** Words that aren't known before the command runs aren't names of files. */
function exactWord({ kind, head }: Field): string {
  return kind === 'exact' ? head : '';
}
