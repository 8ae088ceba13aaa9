/** Where programs keep their settings that aren't called as they are, below the home folder. */
const ELSEWHERE: Readonly<Partial<Record<string, readonly string[]>>> = {
  auggie: ['.augment'],
  cn: ['.continue'],
  'cursor-agent': ['.cursor', '.config/cursor'],
};

/** Interpreters: their name doesn't tell which agent the script is. */
const INTERPRETER = /^(?:sh|bash|dash|zsh|env|node|npx|bunx?|deno|python[\d.]*|uvx?|ruby|perl)$/;

/**
 * Where an agent of yours may keep its settings, below the home folder.
 *
 * @param names what you call it, and its program, by name or path.
 */
export function settingsFolders(...names: readonly string[]): readonly string[] {
  const known = names
    .map((name) => /([^/]+?)(?:\.\w+)?$/.exec(name)?.[1] ?? name)
    .filter((name) => !INTERPRETER.test(name));
  const folders = known.flatMap(
    (name) =>
      ELSEWHERE[name] ?? [`.${name}`, `.config/${name}`, `.local/share/${name}`, `.local/state/${name}`],
  );
  return [...new Set(folders)];
}

/** The line that shows these folders to it, and why; both for a sentence about how it failed. */
export function hiddenText(folders: readonly string[]): string {
  const short = folders.map((folder) => `~/${folder}`);
  return `The box hides ${short.join(' and ')}, where it may keep its settings. Add to .ralph/ralph.toml: ${writableLine(folders)}`;
}

/** @param folders below the home folder. */
export function writableLine(folders: readonly string[]): string {
  return `[box] writable = ${JSON.stringify(folders.map((folder) => `~/${folder}`))}`;
}

/** The folders that neither `[box] writable` nor `[box] readable` shows to programs in the box. */
export function notShown(
  folders: readonly string[],
  { writable, readable }: { readonly writable: readonly string[]; readonly readable: readonly string[] },
  home: string,
): readonly string[] {
  const shown = [...writable, ...readable].map((path) =>
    path.replace(/^~(?=\/|$)/, home).replace(/\/+$/, ''),
  );
  return folders.filter((folder) => {
    const whole = `${home}/${folder}`;
    return !shown.some((path) => whole === path || whole.startsWith(`${path}/`));
  });
}
