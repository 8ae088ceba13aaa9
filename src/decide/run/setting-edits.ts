import type { Settings } from '../../domain/records/edits.ts';

/** Sections whose settings decide what is verified, allowed and limited. */
const PROTECTING: ReadonlySet<string> = new Set([
  'loop',
  'tracker',
  'git',
  'gates',
  'box',
  'runners',
  'modes',
  'interventions',
  'adaptive_timeout',
  'unblock',
  'limits',
  'checkpoints',
  'snapshot',
  'review',
  'human',
  'workflow',
  'policy',
  'budget',
]);

/** Whether a change of this setting, made while a run was at work, needs your approval before the next run. */
export function isProtecting(key: string): boolean {
  return PROTECTING.has(key.split('.')[0] ?? '');
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
