import { counted } from 'ralph-kit/counted';
import { isObject } from 'ralph-kit/is-object';
import { camelKeys } from 'ralph-kit/snake-keys';
import * as z from 'zod/mini';
import { EventType, InterventionEvent } from '../domain/records/event.ts';
import { IMPORTED_RUN, type JournalBody } from '../domain/records/journal.ts';
import { emptyProfile, ProfileDocumentV1 } from '../domain/records/profile.ts';
import { AgentProfile, EMPTY_STATE, State } from '../domain/records/state.ts';
import { setOwn } from './draft.ts';
import { importRalphGoldState, unusedPermissions } from './import-ralph-gold.ts';

export type ViewImport = {
  readonly records: JournalBody[];
  readonly notes: string[];
};

type Parsed = { readonly path: string; readonly data: Record<string, unknown> };

/**
 * Imports documents of this program or of ralph-gold from a folder without a journal. Never throws: unreadable files
 * are named in the notes. Whatever has a note has a record, too, so that it is said once.
 * @param files Paths relative to `.ralph/`, `text` `null` for an unreadable one; unknown files are ignored
 * @param taskIds In the order of the task file; called only if a ralph-gold file needs them
 */
export function importViews(
  files: readonly { readonly path: string; readonly text: string | null }[],
  taskIds: () => readonly string[] = () => [],
): ViewImport {
  const notes: string[] = [];
  const parsed = files.flatMap((file) => parseObject(file, notes));
  const state: State = State.parse(EMPTY_STATE);
  const from: string[] = [];
  const take = (path: string, read: (data: Record<string, unknown>) => string | null) => {
    const file = parsed.find((one) => one.path === path);
    const taken = file === undefined ? null : read(file.data);
    if (taken === null) return;
    from.push(path);
    notes.push(`.ralph/${path}: ${taken}`);
  };
  take('state.json', (data) => importState(state, data, notes, taskIds));
  take('interventions/profile.json', (data) => importProfiles(state, data, notes));
  take('metrics.json', (data) => importTotals(state, data));
  let events: InterventionEvent[] = [];
  take('interventions/events.json', (data) => {
    const read = readEvents(data, notes);
    events = read;
    return read.length === 0 ? null : `${counted(read.length, 'event')} taken over`;
  });
  take('permissions.json', unusedPermissions);
  if (notes.length === 0) return { records: [], notes };
  return { records: [{ type: 'imported', from: from.join(', '), events, state }], notes };
}

function parseObject(
  file: { readonly path: string; readonly text: string | null },
  notes: string[],
): Parsed[] {
  if (!file.path.endsWith('.json')) return [];
  if (file.text === null) {
    notes.push(`.ralph/${file.path} was not taken over: it can't be read`);
    return [];
  }
  try {
    const data: unknown = JSON.parse(file.text);
    if (isObject(data)) return [{ path: file.path, data }];
    notes.push(`.ralph/${file.path} was not taken over: it holds no JSON object`);
  } catch (error) {
    notes.push(`.ralph/${file.path} was not taken over: it isn't valid JSON (${String(error)})`);
  }
  return [];
}

function importState(
  state: State,
  data: Record<string, unknown>,
  notes: string[],
  taskIds: () => readonly string[],
): string | null {
  if (data.$schema !== 'ralph.state.v1') return importRalphGoldState(state, data, taskIds());
  const { events, profiles, eventTotals, human, recoveries } = EMPTY_STATE;
  const candidate = camelKeys(data) as Record<string, unknown>;
  const result = State.safeParse({ ...candidate, events, profiles, eventTotals, human, recoveries });
  if (!result.success) {
    notes.push(`.ralph/state.json was not taken over: ${z.prettifyError(result.error).slice(0, 500)}`);
    return null;
  }
  Object.assign(state, result.data, { events: [], profiles: state.profiles });
  return `${counted(Object.keys(state.tasks).length, 'task')} taken over`;
}

function importProfiles(state: State, data: Record<string, unknown>, notes: string[]): string | null {
  const profiles = readProfiles(data);
  if (profiles === null) {
    notes.push('.ralph/interventions/profile.json was not taken over: it has another form');
    return null;
  }
  for (const profile of profiles) setOwn(state.profiles, profile.agentId, profile);
  return profiles.length === 0 ? null : `${counted(profiles.length, 'agent profile')} taken over`;
}

/** Returns the profiles; `null`: the document has neither ralph's nor ralph-gold's form. */
function readProfiles(data: Record<string, unknown>): AgentProfile[] | null {
  const gold = ProfileDocumentV1.safeParse(data);
  if (gold.success) return [profileOfRalphGold(gold.data)];
  if (data.$schema !== 'ralph_gold.profile.v2' || !Array.isArray(data.profiles)) return null;
  const own = z.array(AgentProfile).safeParse(data.profiles.map(profileOf));
  return own.success ? own.data : null;
}

/** Returns a profile from ralph-gold's, which has averages instead of sums. */
function profileOfRalphGold(entry: z.infer<typeof ProfileDocumentV1>): AgentProfile {
  const total = entry.total_iterations;
  return {
    ...emptyProfile(entry.agent_id),
    totalIterations: total,
    noFilesCount: entry.no_files_count,
    falseCompletionCount: entry.false_completion_count,
    filesChanged: Math.round(entry.avg_files_per_iteration * total),
    evidenceCount: Math.round(entry.avg_evidence_count * total),
    lastReinforcement: entry.last_reinforcement,
    thresholdExceeded: entry.intervention_threshold_exceeded,
  };
}

function profileOf(entry: unknown): unknown {
  const { interventionThresholdExceeded: thresholdExceeded, ...profile } = Object(camelKeys(entry));
  return { ...profile, thresholdExceeded };
}

const counts = z.record(z.string(), z.number());
const EventTotals = z.looseObject({ total: z.number(), by_type: counts, by_severity: counts });
/** Form of ralph-gold's totals, which count events as interventions. */
const GoldTotals = z.looseObject({
  total_interventions: z.number(),
  interventions_by_type: counts,
  interventions_by_severity: counts,
});

function importTotals(state: State, data: Record<string, unknown>): string | null {
  const totals = eventTotalsOf(data);
  if (totals === null || totals.count === 0) return null;
  state.eventTotals = totals;
  return `totals of ${counted(totals.count, 'event')} taken over`;
}

function eventTotalsOf({ events, interventions }: Record<string, unknown>): State['eventTotals'] | null {
  const read = EventTotals.safeParse(events);
  if (read.success) {
    const { total, by_type, by_severity } = read.data;
    return { count: total, byType: by_type, bySeverity: by_severity };
  }
  const gold = GoldTotals.safeParse(interventions);
  if (!gold.success) return null;
  const { total_interventions, interventions_by_type, interventions_by_severity } = gold.data;
  return {
    count: total_interventions,
    byType: interventions_by_type,
    bySeverity: interventions_by_severity,
  };
}

/** Returns the events. Damaged ones are left out and reported; unknown fields are kept. */
function readEvents(data: Record<string, unknown>, notes: string[]): InterventionEvent[] {
  const list = Array.isArray(data.events) ? data.events : [];
  const events: InterventionEvent[] = [];
  let next = 1;
  for (const [index, item] of list.entries()) {
    const raw = isObject(item) ? item : {};
    const known = EventType.safeParse(raw.event_type).success;
    const id = typeof raw.id === 'string' ? raw.id : `e-${next}`;
    const result = InterventionEvent.safeParse({
      remediation_attempted: false,
      details: {},
      ...raw,
      id,
      run: typeof raw.run === 'string' ? raw.run : IMPORTED_RUN,
      worker: typeof raw.worker === 'number' ? raw.worker : 1,
      ...(known ? {} : { event_type: 'attempt_failed', original_event_type: raw.event_type }),
    });
    if (result.success) {
      events.push(result.data);
      next = Math.max(next, Number(/^e-(\d+)$/.exec(id)?.[1] ?? 0)) + 1;
    } else {
      notes.push(`.ralph/interventions/events.json: event ${index + 1} was left out: it has another form`);
    }
  }
  return events;
}
