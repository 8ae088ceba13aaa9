import { HOME, type Screen, type View } from './state.ts';

/** What became of an effect: what is said of it, or what is shown. */
export type Outcome =
  | { readonly kind: 'message'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'view'; readonly view: View };

/** The screen after an outcome. */
export function withOutcome(screen: Screen, outcome: Outcome): Screen {
  if (outcome.kind === 'view') return { ...screen, view: outcome.view, message: null };
  const { ok, text } = outcome;
  // What was chosen is decided; a failure leaves the choice where it is.
  const view = ok && screen.view.kind === 'choice' ? HOME : screen.view;
  return { ...screen, view, message: { text, tone: ok ? 'done' : 'failed' } };
}
