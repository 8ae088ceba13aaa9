import { protecting, settingLines } from '../../../decide/index.ts';
import type { Store } from '../../../domain/ports.ts';
import type { Settings } from '../../../domain/records/edits.ts';
import { type Failure, failure } from '../../result.ts';
import { notApproved, type TrustMode, trustedByEnvironment } from '../check-trust.ts';
import { loadConfigFiles } from '../load-config.ts';

/** What the configuration files say now, without flags and variables; `null`: they can't be read. */
export function settingsInFiles(root: string): Settings | null {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  const loaded = loadConfigFiles({ root, env: { HOME, XDG_CONFIG_HOME }, flags: {} });
  if (!loaded.ok) return null;
  return Object.fromEntries(loaded.entries().map(({ key, value }) => [key, JSON.stringify(value) ?? '']));
}

/** For the screen. */
export const EDITED_SETTINGS =
  "Settings that decide what is verified, allowed or limited were edited while a run was at work, and you haven't approved them.";

type Place = { readonly root: string; readonly store: Store };

/** Lines of a diff of the settings that protect and were edited while a run was at work; none where you took that back. */
export function unapprovedSettings({ root, store }: Place): string[] {
  const before = store.state.edits.settings;
  if (before === null) return [];
  return settingLines(before, protecting(settingsInFiles(root) ?? {}));
}

/** They count from now on. @throws StoreError */
export function approveSettings(store: Store): void {
  if (store.state.edits.settings === null) return;
  store.commit(() => [{ type: 'edits_accepted', taskIds: [], settings: true }]);
}

/** `null` when a run may start with the settings as they are. */
export async function requireApproval(place: Place, mode: TrustMode): Promise<Failure | null> {
  const lines = unapprovedSettings(place);
  if (lines.length === 0 || mode.kind !== 'check' || trustedByEnvironment()) return null;
  if (mode.ask !== null) {
    const answer = await mode.ask({ about: 'settings', lines });
    return answer === 'yes' ? null : notApproved(answer);
  }
  return failure(
    `${EDITED_SETTINGS} Nothing was run.\n${lines.map((line) => `  ${line}`).join('\n')}`,
    'ralph trust',
  );
}
