import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SettingsOverlay } from 'ralph-agents/protocol';
import { namesIn, readFileBytes } from 'ralph-kit/files/plain-file';
import { isObject } from 'ralph-kit/is-object';
import stripJsonComments from 'strip-json-comments';

/** Your settings can't be extended; the message is for you. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Table = Readonly<Record<string, unknown>>;

/**
 * Makes an overlay's home folder in `hookFolder`. The agent's writes go through links to your own files, as without
 * ralph.
 * @param env Says where the agent's home folder is.
 * @throws SettingsError when your file isn't JSON; the Node error when it can't be read or written.
 */
export function overlaySettings(
  hookFolder: string,
  { variable, folder, file, add, kept, siblings }: SettingsOverlay,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const home = env[variable] || env.HOME || homedir();
  const users = join(home, folder);
  const agents = join(hookFolder, folder);
  for (const name of kept) mkdirSync(join(users, name), { recursive: true });
  mkdirSync(agents, { mode: 0o700 });
  const linked = [
    ...namesIn(users)
      .filter((name) => name !== file)
      .map((name) => join(folder, name)),
    ...namesIn(home).filter((name) => siblings.includes(name)),
  ];
  for (const name of linked) symlinkSync(join(home, name), join(hookFolder, name));
  const settings = merged(readSettings(join(users, file)), add);
  writeFileSync(join(agents, file), JSON.stringify(settings), { mode: 0o600 });
}

function readSettings(path: string): Table {
  const text = existsSync(path) ? readFileBytes(path).toString('utf8') : '';
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(stripJsonComments(text, { trailingCommas: true }));
    if (isObject(value)) return value;
  } catch {
    // Invalid JSON is reported below.
  }
  throw new SettingsError(`${path} is not a JSON object: ralph could not add the hook of its review to it.`);
}

function merged(users: Table, added: Table): Table {
  const both = Object.entries(added).map(([name, value]) => {
    const before = users[name];
    if (Array.isArray(before) && Array.isArray(value)) return [name, [...before, ...value]] as const;
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value] as const;
  });
  return { ...users, ...Object.fromEntries(both) };
}
