import type { Change } from '../../change.ts';
import type { Signal } from '../../finding.ts';
import type { Side } from '../../lex/side.ts';
import { type Sign, signalAt } from '../sign.ts';

export const DROPPED: Sign = {
  category: 'error_swallowing',
  kind: 'error_dropped',
  confidence: 0.75,
  reason: 'Where an error was raised or passed on, nothing is done about it now',
};

/** A signal, with the line that it is about. */
export type Place = { readonly line: number; readonly signal: Signal };

export function placeAt(change: Change, side: Side, line: number, sign: Sign = DROPPED): Place {
  return { line, signal: signalAt(change, side, line, line, sign) };
}
