import type { AgentAction } from '../domain/review.ts';
import { redact } from '../lib/redact.ts';
import { shortened, stripControl } from '../lib/text.ts';
import { codeTexts, commandText, namedPaths, patchTexts, typedTexts } from './action-parts.ts';
import { changePaths, patchPaths } from './patch-paths.ts';

/** In characters. */
const LONGEST = 200;
/** More of an input is not looked at: what is shown is far shorter, and a secret is not cut in two. */
const LOOKED_AT = 8192;

/** One line for people and records, at most 200 characters, with what looks like a secret hidden. */
export function describeAction(action: AgentAction): string {
  const detail = detailOf(action).slice(0, LOOKED_AT);
  const line = redact(stripControl(`${action.tool} ${detail}`), [])
    .replace(/\s+/g, ' ')
    .trim();
  return shortened(line, LONGEST);
}

function detailOf({ input }: AgentAction): string {
  const patched = [...patchTexts(input).flatMap(patchPaths), ...changePaths(input.changes)];
  if (patched.length > 0)
    return patched.map(({ path, deed }) => (deed === 'delete' ? `-${path}` : path)).join(' ');
  const command = commandText(input);
  if (command !== null) return command;
  const paths = namedPaths(input).map(({ path }) => path);
  if (paths.length > 0) return paths.join(' ');
  const [text] = [...typedTexts(input), ...codeTexts(input)];
  return text ?? Object.values(input).find((value) => typeof value === 'string') ?? '';
}
