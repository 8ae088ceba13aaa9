import type { Protected } from '../../domain/ports.ts';
import type { IterationFacts, Restored, Tampering } from '../../domain/records/iteration.ts';
import { canHaveWritten } from '../../findings/index.ts';
import type { LoopContext } from '../context.ts';
import type { EditWatch } from './take-over.ts';

/** Restored things that are named on screen; all are in the record. */
const SHOWN = 5;

/** What ran since what is protected was right the last time. */
type Culprit = 'agent' | 'gates' | 'git';

const WHILE: Readonly<Record<Culprit, string>> = {
  agent: 'while the agent worked',
  gates: 'while the gates ran',
  git: 'while git ran',
};

/** What keeps an attempt's surroundings as they were, and takes over what you edited meanwhile. */
export type Guarded = { readonly protection: Protected; readonly edits: EditWatch };

/**
 * Puts back what is protected, and names what had changed. Nothing in a box can write it: there an edit of your files is
 * yours, and stays.
 * @throws StoreError, GitError where that can't be done.
 */
export async function restoreAfter(
  { ports: { emit, store, proc } }: LoopContext,
  { protection, edits }: Guarded,
  culprit: Culprit,
): Promise<readonly Restored[]> {
  await store.unlocked();
  const { restored, edited } = await protection.restore(proc.isBoxed);
  await edits.take(edited);
  const plain = restored.filter(({ kind }) => kind !== 'staged' && kind !== 'stash');
  if (restored.some(({ kind }) => kind === 'staged'))
    emit({
      kind: 'warning',
      message: `What you had staged was changed ${WHILE[culprit]}; it is staged as it was.`,
    });
  for (const one of plain.slice(0, SHOWN)) {
    emit({
      kind: 'warning',
      message: `${one.path} was changed ${WHILE[culprit]}, and was put back.${kept(one)}`,
    });
  }
  if (plain.length > SHOWN)
    emit({
      kind: 'warning',
      message: `${plain.length - SHOWN} more were put back; ralph logs names them.`,
    });
  return restored;
}

/**
 * What the agent can have done is its tampering, and so is every change of ralph's own files; the rest was put back
 * and says nothing against it. From a box none of it can be written.
 */
export function factsOfRestored(
  restored: readonly Restored[],
  seen: { readonly writes: readonly string[] | null; readonly complete: boolean },
  isBoxed: boolean,
): Pick<IterationFacts, 'tampering' | 'restored'> {
  const isTampering = (one: Restored): one is Tampering =>
    !isBoxed &&
    one.kind !== 'git' &&
    one.kind !== 'ref' &&
    one.kind !== 'staged' &&
    one.kind !== 'stash' &&
    (one.kind === 'own' || canHaveWritten(one.path, seen));
  const others = restored.filter((one) => !isTampering(one));
  return {
    tampering: restored.filter(isTampering),
    restored: others.map((one) => ({ ...one, by: 'agent' })),
  };
}

function kept({ kind, setAside }: Restored): string {
  if (setAside === null) return '';
  return kind === 'ref'
    ? ` What it stood at is kept as ${setAside}.`
    : ` If the change was yours, it is kept as .ralph/${setAside}.`;
}
