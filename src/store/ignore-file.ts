import { counted } from 'ralph-kit/counted';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readPlainFile } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';
import { pathInside } from './store-paths.ts';

/**
 * Writes `.ralph/.gitignore`, or completes yours, so that git ignores ralph's records. Links, folders and unreadable
 * files are left alone.
 * @returns A sentence about rules added to your file; `null` when none were.
 * @throws The Node error when the file can't be written.
 */
export function keepFromGit(dir: string, rules: string): string | null {
  const path = pathInside(dir, '.gitignore');
  const stat = lstatOrNull(path);
  // Git would wait for the other end of a pipe.
  if (stat === null || stat.isFIFO()) {
    replaceFile(path, rules, { folderMode: 0o777 });
    return null;
  }
  const file = tryOr(null, () => readPlainFile(path));
  if (file?.kind !== 'file') return null;
  // latin1 keeps the bytes of any encoding.
  const added = missingRules(file.bytes.toString('latin1'), rules);
  if (added.count === 0) return null;
  replaceFile(path, Buffer.concat([file.bytes, Buffer.from(added.text)]), { mode: file.mode });
  return `.ralph/.gitignore: ${counted(added.count, 'rule')} added below your lines, so that git leaves ralph's records alone.`;
}

/** Returns missing rules. One that yours negate (`!/metrics.json`) is left out, as the later one would win. */
function missingRules(existing: string, rules: string): { readonly count: number; readonly text: string } {
  const eol = existing.includes('\r\n') ? '\r\n' : '\n';
  const lines = patternsIn(existing);
  const ignored = new Set(lines.filter((line) => !line.startsWith('!')).map(plain));
  const kept = new Set(lines.filter((line) => line.startsWith('!')).map((line) => stem(line.slice(1))));
  // `*` and `/*` ignore the whole folder.
  const missing = ['*', '**'].some((all) => ignored.has(all))
    ? []
    : patternsIn(rules).filter((rule) => !ignored.has(plain(rule)) && !kept.has(stem(rule)));
  if (missing.length === 0) return { count: 0, text: '' };
  const heading = rules.split('\n').filter((line) => line.startsWith('#'));
  const gap = existing === '' ? '' : `${existing.endsWith('\n') ? '' : eol}${eol}`;
  return { count: missing.length, text: `${gap}${[...heading, ...missing].join(eol)}${eol}` };
}

function patternsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** In the folder itself, `runs` and `runs/` also match `/runs/`. */
function plain(pattern: string): string {
  return pattern.replace(/^\//, '').replace(/\/$/, '');
}

function stem(pattern: string): string {
  return plain(pattern).replace(/(?:\/?\*+)+$/, '');
}
