import type { Protected } from '../../domain/ports.ts';
import type { IterationFacts, Restored, Tampering } from '../../domain/records/iteration.ts';
import type { LoopContext } from '../context.ts';

/** Restored things that are named on screen; all are in the record. */
const SHOWN = 5;

/** What ran since what is protected was right the last time. */
type Culprit = 'agent' | 'gates' | 'git';

const WHILE: Readonly<Record<Culprit, string>> = {
  agent: 'while the agent worked',
  gates: 'while the gates ran',
  git: 'while git ran',
};

/** Puts back what is protected, and names what had changed. @throws StoreError, GitError where that can't be done. */
export async function restoreAfter(
  { ports: { emit, store } }: LoopContext,
  protection: Protected,
  culprit: Culprit,
): Promise<readonly Restored[]> {
  await store.unlocked();
  const restored = await protection.restore();
  for (const one of restored.slice(0, SHOWN)) {
    emit({
      kind: 'warning',
      message: `${one.path} was changed ${WHILE[culprit]}, and was put back.${kept(one)}`,
    });
  }
  if (restored.length > SHOWN)
    emit({
      kind: 'warning',
      message: `${restored.length - SHOWN} more were put back; ralph logs names them.`,
    });
  return restored;
}

/**
 * What counts as the agent's tampering, and what else was put back. From a box none of it can be written: there it was you,
 * or a program of yours outside.
 */
export function factsOfRestored(
  restored: readonly Restored[],
  by: 'agent' | 'gates',
  isBoxed: boolean,
): Pick<IterationFacts, 'tampering' | 'restored'> {
  const counts = by === 'agent' && !isBoxed;
  const tampering = counts ? restored.filter(isTampering) : [];
  const others = restored.filter((one) => !counts || !isTampering(one));
  return { tampering, restored: others.map((one) => ({ ...one, by })) };
}

function isTampering(one: Restored): one is Tampering {
  return one.kind !== 'git' && one.kind !== 'ref';
}

function kept({ kind, setAside }: Restored): string {
  if (setAside === null) return '';
  return kind === 'ref'
    ? ` What it stood at is kept as ${setAside}.`
    : ` If the change was yours, it is kept as .ralph/${setAside}.`;
}
