import type { GateRequest } from '../../domain/human/gate.ts';
import { gatePanel } from '../../tell/index.ts';

/** Width in columns that fits every terminal. */
const PANEL_WIDTH = 60;

/** Returns a request as a run shows it. The request itself has no secrets. */
export function panelOf(request: GateRequest): string {
  return gatePanel(request, PANEL_WIDTH);
}
