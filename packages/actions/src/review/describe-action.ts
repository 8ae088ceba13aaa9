import { type Action, MOST_PATHS } from 'ralph-kit/actions/action';
import { redact } from 'ralph-kit/redact';
import { withoutShell } from 'ralph-kit/shell-quote';
import { shortened, stripControl } from 'ralph-kit/text';

/** Characters of a line: `LONGEST` in records, `LONGEST_LIVE` on the screen while the agent works. */
const LONGEST = 200;
const LONGEST_LIVE = 100;
/** Characters of an input that are read: far more than are shown, so that no secret is cut in two. */
const MOST_READ = 8192;

/** Returns one line for records and reports, at most 200 characters, with likely secrets hidden. */
export function describeAction(action: Action): string {
  return oneLine(action.tool, detailOf(action), LONGEST);
}

/** Returns one line for the screen while the agent works, at most 100 characters. */
export function liveLine(action: Action): string {
  return oneLine(action.tool || 'tool', withoutShell(detailOf(action)), LONGEST_LIVE);
}

/** Returns the paths that an action names, relative to `root` where they are below it. Shell commands name none. */
export function actionPaths({ paths }: Action, root: string): string[] {
  const named = paths.slice(0, MOST_PATHS).map(({ path }) => path);
  return [
    ...new Set(named.map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path))),
  ];
}

function oneLine(tool: string, detail: string, longest: number): string {
  const line = redact(stripControl(`${tool} ${detail.slice(0, MOST_READ)}`), []);
  return shortened(line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim(), longest);
}

function detailOf({ command, paths, content, network, kind, input }: Action): string {
  if (command !== null) return command;
  if (paths.length > 0) {
    return paths.map(({ path, change }) => (change === 'delete' ? `-${path}` : path)).join(' ');
  }
  const [text] = kind === 'typing' || kind === 'unknown' ? content : [];
  return text ?? network ?? Object.values(input).find((value) => typeof value === 'string') ?? '';
}
