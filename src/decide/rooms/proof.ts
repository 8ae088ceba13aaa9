import type { FactsOf } from '../../domain/records/iteration.ts';
import { spendOf } from '../../domain/spend-of.ts';
import { decideProof, proverAfter } from '../../proof/shown/index.ts';
import { room } from './room.ts';

export const proof = room('proof', (facts: FactsOf<'attempt' | 'changes' | 'runs' | 'proof'>) => ({
  proof: decideProof(facts),
  prover: proverAfter(facts, (usage) => spendOf(usage, facts.settings.prices)),
}));
