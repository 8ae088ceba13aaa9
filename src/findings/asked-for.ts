import type { Task } from '../domain/task.ts';
import { nameOf } from '../lib/paths.ts';

/** Words of a task that wants something gone, or as it was. */
const WANTS_GONE =
  /\b(?:remov\w*|delet\w*|drop\w*|discard\w*|revert\w*|undo\w*|restor\w*|reset\w*|roll(?:s|ed|ing)? ?back|get rid|clean\w* up|eliminat\w*|mov(?:e|es|ed|ing)|renam\w*|replac\w*)\b/i;

/** Whether a task names a path, or a folder that it lies in, and wants something gone. */
export function isLossAskedFor({ title, description, acceptance }: Task, path: string): boolean {
  const text = [title, description, ...acceptance].join('\n');
  if (!WANTS_GONE.test(text)) return false;
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
  // The name of a folder may be a word of any sentence.
  return (
    [path, nameOf(path)].some((name) => isNamed(name, text, '')) ||
    folders.some((name) => isNamed(name, text, name.includes('/') ? '' : '/'))
  );
}

/** As a word of its own, with that behind it: `a.js` isn't named by `data.js`, nor `src` by `src/a.js`. */
function isNamed(name: string, text: string, behind: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length, at + name.length + 2);
    const ends = after.startsWith(behind) && !/^(?:[\w-]|[./]\w)/.test(after);
    if (ends && !/[\w.-]/.test(text[at - 1] ?? ' ')) return true;
  }
  return false;
}
