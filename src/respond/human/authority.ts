import type { GateFacts, GateRequest, HumanGateName } from '../../domain/human/gate.ts';
import type { HumanSettings, Role } from '../../domain/human/settings.ts';

export type Authority = { readonly role: Role; readonly signed: boolean };

/**
 * Gates that require a signature. GATE-AP-FALSE-POSITIVE isn't listed, because `[human.gates.GATE-AP-FALSE-POSITIVE]
 * signature` decides for it.
 */
const SIGNED: Readonly<Partial<Record<HumanGateName, boolean | 'critical'>>> = {
  'GATE-AP-RECOVERY': false,
  'GATE-AP-DESTRUCTIVE': 'critical',
  MANUAL: false,
};

/** Returns the role and signature that a decision requires. @see spec 5-human-gates, No bypass */
export function authorityFor(
  { gate, facts }: Pick<GateRequest, 'gate'> & { readonly facts: Pick<GateFacts, 'severity'> },
  gates: HumanSettings['gates'],
): Authority {
  const signature = SIGNED[gate] ?? gates['GATE-AP-FALSE-POSITIVE'].signature;
  return {
    role: gate === 'GATE-AP-DESTRUCTIVE' ? 'tech_lead' : 'developer',
    signed: signature === 'critical' ? facts.severity === 'critical' : signature,
  };
}

export function mayDecide(role: Role, needed: Role): boolean {
  return role === 'tech_lead' || role === needed;
}
