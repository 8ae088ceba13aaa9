import type { Attack } from '../attack.ts';
import { GATES } from './6-gates.ts';
import { CLAIMS } from './8-claims.ts';

/** By the points of docs/THREAT_MODEL.md. */
export const ATTACKS: readonly Attack[] = [...GATES, ...CLAIMS];
