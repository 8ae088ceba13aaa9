import { type DataOf, type Failure, failure, success } from '../result.ts';
import { acceptTrust, checkTrust, notWritten, type TrustSubject, trustLines } from '../setup/check-trust.ts';
import { formatProblems, loadConfigFiles } from '../setup/load-config.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import { clearAccepted, readAccepted } from '../setup/trust-file.ts';
import { workTreeAt } from '../setup/work-tree.ts';

export type TrustInput = { readonly cwd: string; readonly action: 'accept' | 'list' | 'revoke' };

export type TrustResult = DataOf<typeof trust>;

/** `ralph trust`: shows what this repository would run and accepts it; `--list` only shows, `--revoke` takes it back. */
export async function trust(input: TrustInput) {
  const subject = await openSubject(input.cwd);
  if (!('root' in subject)) return subject;
  const { stateHome } = subject;
  const check = checkTrust(subject);
  try {
    if (input.action === 'accept' && check.kind === 'untrusted') acceptTrust(stateHome, check);
    if (input.action === 'revoke') clearAccepted(stateHome);
  } catch (error) {
    return notWritten(error);
  }
  const now = checkTrust(subject);
  return success({
    action: input.action,
    state: now.kind,
    was: check.kind,
    sha256: now.sha256,
    lines: trustLines(now.items),
    items: now.items,
    accepted: readAccepted(stateHome).map(({ sha256, at, items }) => ({ sha256, at, items })),
  });
}

async function openSubject(cwd: string): Promise<TrustSubject | Failure> {
  const found = await workTreeAt(cwd);
  if (!found.ok) return found;
  const loaded = loadConfigFiles({ root: found.top, env: process.env, flags: {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems), 'ralph doctor');
  return {
    root: found.top,
    stateHome: stateHomeOf(found.commonDir),
    config: loaded.config,
    entries: loaded.entries(),
  };
}
