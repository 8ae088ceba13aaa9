import type { Settings } from '../../domain/records/edits.ts';

/** Sections whose settings decide nothing of what is verified, allowed or limited; all others do. */
const HARMLESS: ReadonlySet<string> = new Set(['files', 'prompt', 'output', 'notify', 'parallel']);

/** Whether a change of this setting, made while a run was at work, needs your approval before the next run. */
function isProtecting(key: string): boolean {
  return !HARMLESS.has(key.split('.')[0] ?? '');
}

/** The settings that protect, of all. */
export function protecting(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => isProtecting(key)));
}

/** Lines of a diff between two sets of settings; none where they are the same. */
export function settingLines(before: Settings, now: Settings): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return keys.flatMap((key) => {
    const [was, is] = [before[key], now[key]];
    if (was === is) return [];
    return [
      ...(was === undefined ? [] : [`- ${key} = ${was}`]),
      ...(is === undefined ? [] : [`+ ${key} = ${is}`]),
    ];
  });
}
