import type { WholeReport } from '../../../app/commands/report-page.ts';
import { isOutsideCause } from '../../../domain/verdict.ts';
import type { Tone } from './parts.ts';

export function toneOf({ state, verdict }: WholeReport['attempts'][number]): Tone {
  if (state === 'running') return 'part';
  if (state === 'cut_off' || verdict === null) return 'none';
  if (verdict === 'done') return 'good';
  if (verdict === 'progress') return 'part';
  if (verdict === 'awaiting_human' || verdict === 'already_done' || verdict === 'agent_blocked')
    return 'wait';
  return isOutsideCause(verdict) ? 'none' : 'bad';
}
