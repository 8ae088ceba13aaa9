import { snakeKeys } from 'ralph-kit/snake-keys';
import { EXIT } from '../../domain/exit.ts';
import { IncidentReport, type IncidentSummary, openIncidents, resumeCommand } from '../../domain/incident.ts';
import { StoreError } from '../../domain/ports.ts';
import type { State } from '../../domain/records/state.ts';
import { logCommand } from '../../tell/index.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inWorkspace, type ProjectInput, type Workspace } from '../setup/workspace.ts';

export type IncidentsInput = ProjectInput & {
  readonly action: 'list' | 'show';
  /** Id or number, `INC-3` or `3`; `null`: the open incident, otherwise the newest. */
  readonly id: string | null;
};

const KNOWN_SHOWN = 10;

export type IncidentsResult = DataOf<typeof incidents>;

export function incidents({ action, id, ...input }: IncidentsInput) {
  return inWorkspace(input, (project) => {
    const { state } = project.store;
    const all = state.incidents;
    const open = openIncidents(state).map((one) => one.id);
    if (action === 'list') return success({ open, incidents: all.map(snakeKeys) });
    const wanted = id ?? open.at(-1) ?? all.at(-1)?.id;
    if (wanted === undefined) return failure('There are no incidents.', 'ralph status');
    const found = findIncident(state, wanted);
    if (!found.ok) return found;
    const { incident } = found;
    const read = readIncident(project, incident.id);
    if (!read.ok) return notReadable(incident, read.reason);
    return success({ incident: snakeKeys(incident), path: pathOf(incident.id), report: read.report });
  });
}

type FoundIncident = { readonly ok: true; readonly incident: IncidentSummary };

/** Finds an incident by id or number; a failure names known ids. */
export function findIncident({ incidents: all }: State, wanted: string): FoundIncident | Failure {
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

export function readIncident({ store }: Workspace, id: string): ReadIncident {
  const path = `incidents/${id}.json`;
  try {
    const text = store.readDocument(path);
    if (text === null) return { ok: false, reason: 'it is missing, or not a plain file' };
    const parsed = IncidentReport.safeParse(JSON.parse(text));
    if (parsed.success) return { ok: true, report: parsed.data };
    const { path: place = [], message = '' } = parsed.error.issues[0] ?? {};
    return { ok: false, reason: `${place.join('.') || 'the document'}: ${message}` };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, reason: `it isn't JSON: ${error.message}` };
    if (error instanceof StoreError) return { ok: false, reason: error.message };
    throw error;
  }
}

function notReadable({ id, resolved, summary, iteration }: IncidentSummary, reason: string): Failure {
  const next = resolved === null ? resumeCommand(id) : logCommand(iteration);
  const stands = resolved === null ? 'It is open' : `It was resolved with ${resolved.option}`;
  return failure(
    `The report of ${id} (${pathOf(id)}) cannot be read: ${reason}. From the journal: ${summary} ${stands}.`,
    next,
    EXIT.unexpected,
  );
}

function pathOf(id: string): string {
  return `.ralph/incidents/${id}.json`;
}
