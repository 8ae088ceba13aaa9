import type { GateRequest } from '../../domain/human/gate.ts';
import { gatePanel } from '../../respond/human/index.ts';

/** Fits every terminal, in columns. */
const PANEL_WIDTH = 60;

/** What a run shows of a request for your decision: a box of text, with secrets as they are in the request. */
export function panelOf(request: GateRequest): string {
  return gatePanel(request, PANEL_WIDTH);
}
