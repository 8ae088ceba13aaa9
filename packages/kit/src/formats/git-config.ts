/** A setting from `git config --list`; a `null` value means a bare name, which stands for true. */
export type Setting = { readonly scope: string; readonly key: string; readonly value: string | null };

/** Parses `git config --list -z --show-scope`; latin1, so one character is one byte. */
export function parseSettings(output: Buffer): Setting[] {
  const fields = output.toString('latin1').split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', entry = ''] = [fields[at], fields[at + 1]];
    const end = entry.indexOf('\n');
    settings.push(
      end < 0
        ? { scope, key: entry, value: null }
        : { scope, key: entry.slice(0, end), value: entry.slice(end + 1) },
    );
  }
  return settings;
}

/** Settings that say where the repository is; git reads them only from the repository itself. */
const PLACE = /^(?:include\.path|includeif\..*\.path|core\.worktree|extensions\.worktreeconfig)$/s;
/** Storage format settings, accepted from a repository that wasn't checked. */
const FORMAT =
  /^(?:extensions\..*|core\.(?:repositoryformatversion|bare|filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol))$/s;

/**
 * Returns settings of one repository in git's order, without those of `-c` and variables, which each call sets.
 * @param isTrusted Includes the repository's own settings beyond its storage format.
 */
export function settingsToPin(settings: readonly Setting[], isTrusted: boolean): Setting[] {
  return settings.filter(({ scope, key }) => {
    if (scope === 'command' || PLACE.test(key)) return false;
    return isTrusted || scope === 'system' || scope === 'global' || FORMAT.test(key);
  });
}

/** Settings that include other files, hold secrets, sign, or name one of your programs. */
const NOT_FOR_AGENTS =
  /^(?:credential|include|includeif|http|https|url|gpg|sendemail|filter\..*\.process)(?:\.|$)|^core\.(?:worktree|fsmonitor|sshcommand|askpass|gitproxy|bare|checkstat|trustctime|alternaterefscommand|excludesfile|attributesfile)$|^extensions\.(?:worktreeconfig|refstorage|partialclone)$|^(?:commit|tag)\.gpgsign$|token|password|secret|extraheader/;
/** User name and password in an address. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i;

/** Returns the settings that an agent's git may have. */
export function settingsForAgents(settings: readonly Setting[]): Setting[] {
  return settings
    .filter(({ scope, key }) => scope !== 'command' && !NOT_FOR_AGENTS.test(key.toLowerCase()))
    .map((one) => ({ ...one, value: one.value?.replace(USER_INFO, '$1') ?? null }));
}

/** Returns the last value of a setting; `null` when unset. */
export function lastValue(settings: readonly Setting[], key: string): string | null {
  return settings.findLast((one) => one.key === key)?.value ?? null;
}

/** Returns settings as the text of a git configuration file, with one character for each byte (latin1). */
export function configText(settings: readonly Omit<Setting, 'scope'>[]): string {
  return settings
    .map(({ key, value }) => `${header(key)}\n\t${key.slice(key.lastIndexOf('.') + 1)}${valueText(value)}\n`)
    .join('');
}

/** Git's subsection is everything between the first and the last dot. */
function header(key: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = key.slice(0, first);
  if (first === last) return `[${section}]`;
  return `[${section} "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"]`;
}

function valueText(value: string | null): string {
  if (value === null) return '';
  const escaped = value
    .replace(/["\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\b', '\\b');
  return ` = "${escaped}"`;
}
