import { isDeepStrictEqual } from 'node:util';
import { isObject } from 'ralph-kit/is-object';
import { parseToml } from '../../../config/index.ts';
import { tomlText } from './config-text.ts';

/**
 * Returns a configuration with this `[tracker] path` and nothing else changed; `null`: the change isn't safe, so you
 * have to make it.
 */
export function withTrackerPath(text: string, path: string): string | null {
  const before = settingsIn(text);
  if (before === null) return null;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const line = `path = ${tomlText(path)}`;
  const section = lines.findIndex((one) => /^\s*\[tracker\]\s*(?:#.*)?$/.test(one));
  const size = lines.slice(section + 1).findIndex((one) => /^\s*\[/.test(one));
  const last = size === -1 ? lines.length : section + 1 + size;
  const at = lines.findIndex(
    (one, index) => index > section && index < last && /^\s*#?\s*path\s*=/.test(one),
  );
  if (section === -1) lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, '[tracker]', line);
  else if (at === -1) lines.splice(section + 1, 0, line);
  else lines.splice(at, 1, line);
  const changed = lines.join(end);
  const wanted = { ...before, tracker: { ...(isObject(before.tracker) ? before.tracker : {}), path } };
  return isDeepStrictEqual(settingsIn(changed), wanted) ? changed : null;
}

function settingsIn(text: string): Record<string, unknown> | null {
  const parsed = parseToml('ralph.toml', text);
  // The parser's tables have no prototype, so they never equal tables from this file. A copy does.
  return parsed.ok ? structuredClone(parsed.table) : null;
}
