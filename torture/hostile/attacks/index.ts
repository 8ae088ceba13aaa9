import type { Attack } from '../attack.ts';
import { PROTECTION } from './3-protection.ts';
import { GATES } from './6-gates.ts';
import { INSIDE } from './7-inside.ts';
import { CLAIMS } from './8-claims.ts';
import { SHOWN } from './9-shown.ts';

/** By the points of docs/THREAT_MODEL.md. */
export const ATTACKS: readonly Attack[] = [...PROTECTION, ...GATES, ...INSIDE, ...CLAIMS, ...SHOWN];
