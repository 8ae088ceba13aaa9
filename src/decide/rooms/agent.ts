import type { FactsOf } from '../../domain/records/iteration.ts';
import { spendOf } from '../../domain/spend-of.ts';
import { room } from './room.ts';

export const agent = room('agent', ({ report, settings }: FactsOf<'attempt' | 'agent'>) => ({
  spend: spendOf(report.usage, settings.prices),
}));
