import { own } from 'ralph-kit/own';
import { OTHERS } from './others.ts';
import type { Program } from './protocol.ts';

/** An interpreter's name doesn't identify the agent. */
const INTERPRETER = /^(?:sh|bash|dash|zsh|env|node|npx|bunx?|deno|python[\d.]*|uvx?|ruby|perl)$/;

/**
 * Returns the folders below the home folder in which a program may have settings. @param names Your name for the agent,
 * and its program's name or path.
 */
function settingsFolders(...names: readonly string[]): readonly string[] {
  const known = names
    .map((name) => /([^/]+?)(?:\.\w+)?$/.exec(name)?.[1] ?? name)
    .filter((name) => !INTERPRETER.test(name));
  const folders = known.flatMap(
    (name) =>
      own<Program | undefined>(OTHERS, name)?.settingsFolders ?? [
        `.${name}`,
        `.config/${name}`,
        `.local/share/${name}`,
        `.local/state/${name}`,
      ],
  );
  return [...new Set(folders)];
}

/** Returns the end of a sentence about a failure: the hidden folders and the line that shows them. */
export function hiddenText(folders: readonly string[]): string {
  const short = folders.map((folder) => `~/${folder}`);
  return `The box hides ${short.join(' and ')}, where it may keep its settings. Add to .ralph/ralph.toml: ${writableLine(folders)}`;
}

/** Returns the configuration line that shows these folders below the home folder in the box. */
export function writableLine(folders: readonly string[]): string {
  return `[box] writable = ${JSON.stringify(folders.map((folder) => `~/${folder}`))}`;
}

type Shown = { readonly writable: readonly string[]; readonly readable: readonly string[] };

/**
 * Returns existing settings folders of your agent, below home, that the box hides.
 * @param names Your name for it, and its program's name or path.
 * @param isThere Checks a path outside the box.
 * @param shown `[box] writable` and `readable`.
 */
export function hiddenSettings(
  names: readonly string[],
  isThere: (path: string) => boolean,
  { writable, readable }: Shown,
  home: string,
): readonly string[] {
  const shown = [...writable, ...readable].map((path) =>
    path.replace(/^~(?=\/|$)/, home).replace(/\/+$/, ''),
  );
  return settingsFolders(...names).filter((folder) => {
    const whole = `${home}/${folder}`;
    return isThere(whole) && !shown.some((path) => whole === path || whole.startsWith(`${path}/`));
  });
}
