import { counted } from 'ralph-kit/counted';
import { findOrphans } from 'ralph-kit/programs/table/orphans';
import { firstFew } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import { check, type DoctorFinding, info, warning } from '../check.ts';
import type { LockFacts } from '../scene.ts';

export const locksCheck = check({
  gather: ({ root, locks, running }) => ({
    locks,
    orphans: running ? [] : tryOr([], () => findOrphans(root)),
  }),
  judge: ({ locks, orphans }) => {
    const findings = locks.map(lockFinding);
    if (orphans.length === 0) return findings;
    const title = `${counted(orphans.length, 'process', 'processes')} left by a ralph that ended`;
    const detail = firstFew(orphans.map(({ pid, command }) => `${pid} ${command}`));
    const fix = `The next run ends them; now: kill ${orphans.map(({ pid }) => pid).join(' ')}`;
    return [...findings, warning('state.orphans', title, detail, fix)];
  },
});

function lockFinding({ name, state, holder }: LockFacts): DoctorFinding {
  const id = `state.lock.${name.replace('.lock', '')}`;
  const who = holder === null ? 'an unknown process' : `process ${holder.pid} on ${holder.host}`;
  const takenOver = 'The next run takes it over.';
  const elsewhere = `When that machine is gone for good: rm .ralph/${name}`;
  return {
    live:
      name === 'run.lock'
        ? info(id, 'a run is active', who, 'Wait for its end, or see it with: ralph status')
        : info(id, `${name} is held`, who, 'It is held for moments only; check again.'),
    dead: info(id, `${name} was left behind`, `${who}, which is gone`, takenOver),
    damaged: info(id, `${name} is damaged`, 'it names no process', takenOver),
    other_host: warning(id, `${name} is held on another machine`, who, elsewhere),
  }[state];
}
