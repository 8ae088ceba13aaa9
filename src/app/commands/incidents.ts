import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../domain/exit.ts';
import { IncidentReport, type IncidentSummary, openIncidents } from '../../domain/incident.ts';
import { StoreError } from '../../domain/ports.ts';
import type { State } from '../../domain/state.ts';
import { systemClock } from '../../io/clock.ts';
import { readPlainFile } from '../../io/store/index.ts';
import { type CommandResult, type Failure, failure, success } from '../result.ts';
import { openWorkspace, type ProjectInput, type Workspace } from '../setup/project.ts';
import { snakeKeys } from '../snake-keys.ts';

export type IncidentsInput = ProjectInput & {
  readonly action: 'list' | 'show';
  /** `INC-3` or `3`; `null` to show: the one that is open, else the newest. */
  readonly id: string | null;
};

/** Ids that an answer to an unknown one names. */
const KNOWN_SHOWN = 10;
const DAY_MS = 24 * 3600 * 1000;

/** `ralph incidents [list|show ID]`: emergency stops, the newest last; the report of one. */
export async function incidents(input: IncidentsInput): Promise<CommandResult> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { store } = opened.project;
  const all = store.state.incidents;
  const open = openIncidents(store.state).map(({ id }) => id);
  if (input.action === 'list') return success({ open, incidents: all.map(snakeKeys) });
  const wanted = input.id ?? open.at(-1) ?? all.at(-1)?.id ?? null;
  if (wanted === null) return failure('There are no incidents.', 'ralph status');
  const found = findIncident(store.state, wanted);
  if (!found.ok) return found;
  const { incident } = found;
  const read = readIncident(opened.project, incident.id);
  if (!read.ok) return notReadable(incident, read.reason);
  return success({ incident: snakeKeys(incident), path: pathOf(incident.id), report: read.report });
}

type FoundIncident = { readonly ok: true; readonly incident: IncidentSummary };

/** The incident of this id or number; a failure names those that are known. */
export function findIncident({ incidents: all = [] }: State, wanted: string): FoundIncident | Failure {
  const id = /^\d+$/.test(wanted) ? `INC-${wanted}` : wanted.toUpperCase();
  const incident = all.find((one) => one.id === id);
  if (incident !== undefined) return { ok: true, incident };
  const ids = all.map((one) => one.id);
  if (ids.length === 0) return failure(`There is no incident ${wanted}: there was none yet.`, 'ralph status');
  const shown = ids.slice(-KNOWN_SHOWN).toReversed().join(', ');
  return failure(
    `There is no incident ${wanted}. Known: ${shown}${ids.length > KNOWN_SHOWN ? ', …' : ''}.`,
    'ralph incidents',
  );
}

type ReadIncident =
  | { readonly ok: true; readonly report: IncidentReport }
  | { readonly ok: false; readonly reason: string };

/** The report of an incident on record. */
export function readIncident({ store }: Workspace, id: string): ReadIncident {
  const path = `incidents/${id}.json`;
  try {
    const text = store.readDocument(path);
    if (text === null) return { ok: false, reason: 'it is not there, or no plain file' };
    const parsed = IncidentReport.safeParse(JSON.parse(text));
    if (parsed.success) return { ok: true, report: parsed.data };
    const { path: place = [], message = '' } = parsed.error.issues[0] ?? {};
    return { ok: false, reason: `${place.join('.') || 'the document'}: ${message}` };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, reason: `it is no JSON: ${error.message}` };
    if (error instanceof StoreError) return { ok: false, reason: error.message };
    throw error;
  }
}

/** What is known without the report, and what helps. */
function notReadable({ id, resolved, summary, iteration }: IncidentSummary, reason: string): Failure {
  const next = resolved === null ? `ralph resume ${id}` : `ralph logs ${iteration}`;
  const state = resolved === null ? 'It is open' : `It was resolved with ${resolved.option}`;
  return failure(
    `The report of ${id} (${pathOf(id)}) cannot be read: ${reason}. What the journal says: ${summary} ${state}.`,
    next,
    EXIT.unexpected,
  );
}

function pathOf(id: string): string {
  return `.ralph/incidents/${id}.json`;
}

/**
 * Removes the reports of incidents that were resolved more than `preserve_incident_data_days` ago, where
 * `auto_cleanup = true`. What the journal says of them stays. Called at the start of a run, under its lock.
 *
 * @returns the ids of those that were removed. What cannot be removed stays.
 */
export function cleanIncidents({
  root,
  config,
  store,
}: Pick<Workspace, 'root' | 'config' | 'store'>): readonly string[] {
  const { auto_cleanup, preserve_incident_data_days: days } = config.interventions;
  if (!auto_cleanup) return [];
  const before = Date.parse(systemClock().now()) - days * DAY_MS;
  const old = store.state.incidents.filter(
    ({ resolved }) => resolved !== null && Date.parse(resolved.at) < before,
  );
  return old.map(({ id }) => id).filter((id) => removeReport(root, id));
}

/** A link, a folder, or what lies behind a linked folder is no report of ralph and stays. */
function removeReport(root: string, id: string): boolean {
  if (!/^INC-\d+$/.test(id)) return false;
  const folder = join(root, '.ralph', 'incidents');
  const path = join(folder, `${id}.json`);
  try {
    if (readPlainFile(folder).kind === 'link' || readPlainFile(path).kind !== 'file') return false;
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
