/** One setting as `git config --list` names it; `null`: a name alone, which stands for true. */
export type Setting = { readonly scope: string; readonly key: string; readonly value: string | null };

/** Output of `git config --list -z --show-scope`, one character per byte (latin1). */
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

/** Where a repository lies, and how; names that git only takes from the repository itself. */
const PLACE = /^(?:include\.path|includeif\..*\.path|core\.worktree|extensions\.worktreeconfig)$/s;
/** What a repository may say that no one has checked: how its files and objects are stored. */
const FORMAT =
  /^(?:extensions\..*|core\.(?:repositoryformatversion|bare|filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol))$/s;

/**
 * The settings that hold for one repository, in the order in which git read them. What `-c` and variables gave is left
 * out: it comes with each call.
 *
 * @param isTrusted Whether the repository's own settings count, and not only those about its format.
 */
export function settingsToPin(settings: readonly Setting[], isTrusted: boolean): Setting[] {
  return settings.filter(({ scope, key }) => {
    if (scope === 'command' || PLACE.test(key)) return false;
    return isTrusted || scope === 'system' || scope === 'global' || FORMAT.test(key);
  });
}

/** What leads elsewhere, holds a secret, signs, or names a program of yours. */
const NOT_FOR_AGENTS =
  /^(?:credential|include|includeif|http|https|url|gpg|sendemail|filter\..*\.process)(?:\.|$)|^core\.(?:worktree|fsmonitor|sshcommand|askpass|gitproxy|bare|checkstat|trustctime|alternaterefscommand|excludesfile|attributesfile)$|^extensions\.(?:worktreeconfig|refstorage|partialclone)$|^(?:commit|tag)\.gpgsign$|token|password|secret|extraheader/;
/** A name and password in an address. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i;

/** The settings that an agent's git may have. */
export function settingsForAgents(settings: readonly Setting[]): Setting[] {
  return settings
    .filter(({ scope, key }) => scope !== 'command' && !NOT_FOR_AGENTS.test(key.toLowerCase()))
    .map((one) => ({ ...one, value: one.value?.replace(USER_INFO, '$1') ?? null }));
}

/** The last value of a setting; `null` when it isn't set. */
export function lastValue(settings: readonly Setting[], key: string): string | null {
  return settings.findLast((one) => one.key === key)?.value ?? null;
}

/** A file of settings for git, as latin1. */
export function configText(settings: readonly Omit<Setting, 'scope'>[]): string {
  return settings
    .map(({ key, value }) => `${header(key)}\n\t${key.slice(key.lastIndexOf('.') + 1)}${valueText(value)}\n`)
    .join('');
}

/** `[section "subsection"]`; the subsection is all between the first dot and the last. */
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
