import type { Finding } from '../domain/finding.ts';
import type { InterventionRecord, InterventionType, Severity } from '../domain/intervention.ts';
import type { AttemptSummary } from '../domain/state.ts';
import { attemptsSince } from './history.ts';
import type { ControlInput } from './input.ts';
import { roundedDown, rungAbove, rungBelow, rungFrom, sternness } from './ladder.ts';
import { proposedType, type Score } from './score.ts';

export type Question = Pick<ControlInput, 'at' | 'agent' | 'effectiveness' | 'settings'> & {
  readonly finding: Finding;
  readonly score: Score;
  /** What is left of the ladder, gentlest first. */
  readonly rungs: readonly InterventionType[];
  /** Interventions of the series on the issue, oldest first, with what became of them. */
  readonly records: readonly InterventionRecord[];
  readonly attempts: readonly AttemptSummary[];
};

export type Rung = {
  readonly type: InterventionType;
  /** How it was come to, as the end of a sentence. */
  readonly why: string;
};

/** Interventions judged before their effectiveness says anything. */
const LEAST_JUDGED = 3;

const SEVERITY_INDEX: Readonly<Record<Severity, number>> = {
  low: 0,
  medium: 1,
  high: 2,
  critical: Number.POSITIVE_INFINITY,
};

/**
 * The rung for an issue that is not critical (spec 3-interventions, Strategies; decisions.md, Interventions,
 * settled); `null` where nothing is left of the ladder that is at least as stern as what did not help.
 *
 * A first occurrence starts at the bottom. After that the strategy proposes, and the history bounds it: never below
 * the rung that did not help nor more than one above it, and one rung lower where the last one helped. A module of
 * the strategy `custom` that has no answer leaves it to `progressive`.
 */
export function chooseRung(question: Question): Rung | null {
  const { finding, records } = question;
  const last = records.at(-1);
  if (last === undefined) return firstRung(question);
  // No clean attempt makes up for it: what only ralph writes was edited, was put back, and was edited again.
  if (finding.type === 'state_tampering') return rung(question.rungs.at(-1), 'it was done again');
  // Those that no attempt could judge, as the task was blocked or the run stopped, tell nothing.
  const judged = records.findLast(({ outcome }) => outcome === 'helped' || outcome === 'not_helped');
  if (judged === undefined) return firstRung(question);
  const persists = persistsSince(question, last.iteration);
  return judged.outcome === 'helped'
    ? afterHelp(question, judged, persists)
    : rising(question, judged, persists);
}

function firstRung({ finding, rungs, settings }: Question): Rung | null {
  if (settings.strategy !== 'pattern_specific') {
    return rung(rungs[0], 'the first occurrence on the task takes the first rung');
  }
  // Only critical findings go straight to a stop.
  const gentle = rungs.filter((type) => type !== 'emergency_stop');
  const from = gentle.length > 0 ? gentle : rungs;
  return rung(bySeverity(finding, from), `the severity ${finding.severity} picks it from the ladder`);
}

/** The issue was gone and came back. */
function afterHelp({ rungs }: Question, judged: InterventionRecord, persists: boolean): Rung | null {
  const said = `${judged.type} helped after iteration ${judged.iteration}`;
  return persists
    ? rung(rungFrom(rungs, judged.type) ?? rungs.at(-1), `${said}, and the issue came back and stays`)
    : rung(rungBelow(rungs, judged.type), `${said}, so one rung lower`);
}

function rising(question: Question, judged: InterventionRecord, persists: boolean): Rung | null {
  const { rungs } = question;
  const floor = rungFrom(rungs, judged.type);
  const ceiling = rungAbove(rungs, judged.type);
  if (floor === undefined || ceiling === undefined) return null;
  const said = `${judged.type} did not help in iteration ${judged.iteration}`;
  if (floor === ceiling) return rung(floor, said);
  if (mustWait(question, judged)) return rung(floor, `${said}, and it is too early for the next rung`);
  if (persists) return rung(ceiling, `${said} and the issue persists`);
  const { type, because } = proposal(question, judged);
  if (type === undefined || sternness(type) < sternness(ceiling)) return rung(floor, `${said}; ${because}`);
  return rung(ceiling, `${said}; ${because}, at most one rung above`);
}

type Proposal = { readonly type: InterventionType | undefined; readonly because: string };

function proposal(question: Question, judged: InterventionRecord): Proposal {
  const { finding, rungs, score, settings } = question;
  if (settings.strategy === 'pattern_specific') {
    return {
      type: bySeverity(finding, rungs),
      because: `the severity ${finding.severity} asks for its rung`,
    };
  }
  const share = effectivenessOf(question, judged.type);
  if (share !== null && share < settings.effectivenessThreshold) {
    const percent = Math.round(share * 100);
    return {
      type: rungAbove(rungs, judged.type),
      because: `it helps ${question.agent} in ${percent} % of the cases`,
    };
  }
  const proposed = proposedType(score.combined);
  return { type: roundedDown(rungs, proposed), because: `the score proposes ${proposed}` };
}

/**
 * By severity: low the first rung, medium the second, high the third, critical the last. For the five issues that the
 * specification's table of this strategy names, the table holds their ladders.
 */
function bySeverity({ severity }: Finding, rungs: readonly InterventionType[]): InterventionType | undefined {
  return rungs[Math.min(SEVERITY_INDEX[severity], rungs.length - 1)];
}

/** Share of the judged interventions of this type that helped this agent with this issue; `null`: too few. */
function effectivenessOf({ effectiveness, agent, finding }: Question, type: InterventionType): number | null {
  const cells = effectiveness.filter(
    (cell) => cell.agent === agent && cell.issue === finding.type && cell.type === type,
  );
  const helped = cells.reduce((sum, cell) => sum + cell.helped, 0);
  const judged = cells.reduce((sum, cell) => sum + cell.helped + cell.notHelped, 0);
  return judged < LEAST_JUDGED ? null : helped / judged;
}

/** `progressive` gives an intervention its time, unless this is the very next attempt after it. */
function mustWait({ settings, at, attempts }: Question, last: InterventionRecord): boolean {
  if (settings.strategy === 'pattern_specific') return false;
  const elapsedMs = Date.parse(at) - Date.parse(last.at);
  return (
    elapsedMs < settings.escalationDelaySeconds * 1000 && attemptsSince(attempts, last.iteration).length > 0
  );
}

/** Two similar issues since the last intervention on it, this one included. */
function persistsSince({ finding, attempts }: Question, iteration: number): boolean {
  return attemptsSince(attempts, iteration).some(({ findings }) => findings?.includes(finding.type));
}

function rung(type: InterventionType | undefined, why: string): Rung | null {
  return type === undefined ? null : { type, why };
}
