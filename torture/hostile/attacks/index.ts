import type { Attack } from '../attack.ts';
import { CLAIMS } from './8-claims.ts';

/** By the points of docs/THREAT_MODEL.md. */
export const ATTACKS: readonly Attack[] = [...CLAIMS];
