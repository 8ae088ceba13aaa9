import { unreachable } from '../../lib/unreachable.ts';
import type { DoctorFacts, LockFacts, StoreFacts } from './facts.ts';
import { counted, type DoctorFinding, error, info, ok, some, warning } from './finding.ts';

/** Below this an attempt may not be recorded; below the other there is little room for a night, in bytes. */
const TOO_LITTLE_SPACE = 64 * 1024 * 1024;
const LITTLE_SPACE = 1024 * 1024 * 1024;
/** Folders of runs that are worth a look, in bytes. */
const LARGE_RUNS = 2 * 1024 * 1024 * 1024;

/** The machine, and what ralph keeps. */
export function stateFindings(facts: DoctorFacts): DoctorFinding[] {
  const { store } = facts;
  return [
    ...machineFindings(facts),
    ...folderFindings(store),
    ...store.locks.map(lockFinding),
    ...orphanFindings(store),
    journalFinding(store),
    ...fileFindings(store),
    ...stopFindings(store),
  ];
}

function machineFindings({ machine }: DoctorFacts): DoctorFinding[] {
  const { supervision, perl, platform, node } = machine;
  const system = ok('machine.node', `Node ${node} on ${platform}`);
  if (supervision.kind === 'subreaper')
    return [system, ok('machine.supervision', 'sub-reaper', supervision.detail)];
  const mend =
    platform !== 'linux'
      ? 'Nothing to do here: on Linux, ralph ends every descendant.'
      : perl === null
        ? 'Install perl (it comes with most systems; no modules are needed).'
        : 'Run ralph where prctl is allowed (a container may forbid it).';
  return [
    system,
    warning('machine.supervision', 'agents are ended by group and marker', supervision.detail, mend),
  ];
}

function folderFindings(store: StoreFacts): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (store.folder === 'no_folder') {
    findings.push(
      error('state.folder', '.ralph is no folder', store.dir, 'Move that file away, then: ralph init'),
    );
  } else if (!store.writable) {
    const mend = `Give yourself the right to write: chmod u+rwx '${store.dir}', or mount it writable.`;
    findings.push(error('state.folder', '.ralph cannot be written', store.dir, mend));
  } else if (store.folder === 'absent') {
    findings.push(info('state.folder', 'no .ralph yet', store.dir, 'ralph init'));
  } else {
    findings.push(ok('state.folder', '.ralph can be written'));
  }
  if (store.stateHome !== null && !store.stateHome.writable) {
    const mend = 'Make it writable, or point XDG_STATE_HOME to another folder.';
    findings.push(
      error(
        'state.home',
        'the folder outside of the repository cannot be written',
        store.stateHome.path,
        mend,
      ),
    );
  }
  if (store.freeBytes !== null) {
    const title = `${size(store.freeBytes)} free`;
    const mend = 'Make room on this disk.';
    if (store.freeBytes < TOO_LITTLE_SPACE)
      findings.push(error('state.space', title, 'an attempt could not be recorded', mend));
    else if (store.freeBytes < LITTLE_SPACE)
      findings.push(warning('state.space', title, 'little for outputs and checkpoints', mend));
    else findings.push(ok('state.space', title));
  }
  return findings;
}

function lockFinding({ name, state, holder }: LockFacts): DoctorFinding {
  const id = `state.lock.${name.replace('.lock', '')}`;
  const who = holder === null ? 'nobody that can be named' : `process ${holder.pid} on ${holder.host}`;
  switch (state) {
    case 'live':
      return name === 'run.lock'
        ? info(id, 'a run is going on', who, 'Wait for its end, or see it with: ralph status')
        : info(id, `${name} is held`, who, 'It is held for moments only; look again.');
    case 'dead':
      return info(id, `${name} was left behind`, `${who}, which is gone`, 'The next run takes it over.');
    case 'damaged':
      return info(id, `${name} is damaged`, 'it names no process', 'The next run takes it over.');
    case 'other_host':
      return warning(
        id,
        `${name} is held on another machine`,
        who,
        `When that machine is gone for good: rm .ralph/${name}`,
      );
    default:
      return unreachable(state);
  }
}

function orphanFindings({ orphans }: StoreFacts): DoctorFinding[] {
  if (orphans.length === 0) return [];
  const detail = some(orphans.map(({ pid, command }) => `${pid} ${command}`));
  const title = `${counted(orphans.length, 'process')} of a ralph that is gone`.replace(
    'processs',
    'processes',
  );
  const mend = `The next run ends them; now: kill ${orphans.map(({ pid }) => pid).join(' ')}`;
  return [warning('state.orphans', title, detail, mend)];
}

function journalFinding({ journal, interrupted }: StoreFacts): DoctorFinding {
  const id = 'state.journal';
  switch (journal.kind) {
    case 'absent':
      return ok(id, 'no journal yet', 'the first run begins it');
    case 'partial':
      return info(
        id,
        'the last record is incomplete',
        `${journal.cutBytes} bytes of an interrupted write`,
        'The next command cuts it off; nothing acknowledged is lost.',
      );
    case 'damaged':
      return warning(
        id,
        'the journal is damaged',
        journal.reason,
        'The next run keeps it beside as journal.jsonl.damaged-TIME and goes on with what can be read.',
      );
    case 'unreadable':
      return error(
        id,
        'the journal cannot be read',
        journal.reason,
        'Give yourself the right to read .ralph/journal.jsonl.',
      );
    case 'read':
      if (interrupted !== null) {
        const detail = `iteration ${interrupted.iteration} of ${interrupted.taskId}, begun ${interrupted.startedAt}, has no end`;
        return info(
          'state.interrupted',
          'an attempt was cut off',
          detail,
          'ralph run records it as interrupted and goes on; it is no failed attempt.',
        );
      }
      if (journal.newer > 0) {
        const detail = `${counted(journal.newer, 'record')} of a newer version are kept and not used`;
        return warning(id, 'a newer ralph was here', detail, 'Update ralph.');
      }
      return ok(id, 'the journal is whole', counted(journal.records, 'record'));
    default:
      return unreachable(journal);
  }
}

function stopFindings({ incidents, halfRolledBack }: StoreFacts): DoctorFinding[] {
  const stops = incidents.map(({ id, summary }) =>
    error('state.incident', `${id} is not settled: no run goes on`, summary, `ralph resume ${id}`),
  );
  if (halfRolledBack === null) return stops;
  const title = `a rollback to ${halfRolledBack} was cut off`;
  const detail = 'what the work tree held is kept';
  return [...stops, warning('state.rollback', title, detail, 'The next run ends it, or: ralph rollback')];
}

function fileFindings({ damaged, setAside, runs }: StoreFacts): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (damaged.length > 0) {
    const mend = 'The next run keeps the damaged file beside and makes it anew from the journal.';
    findings.push(
      warning('state.damaged', `${counted(damaged.length, 'document')} cannot be read`, some(damaged), mend),
    );
  }
  if (setAside.length > 0) {
    const mend = 'Look at them, then remove what you do not need.';
    findings.push(
      info('state.set_aside', `${counted(setAside.length, 'file')} set aside`, some(setAside), mend),
    );
  }
  const title = `${counted(runs.count, 'run')}, ${size(runs.bytes)}`;
  if (runs.bytes > LARGE_RUNS) {
    const detail = 'prompts, outputs and patches; nothing else needs them';
    findings.push(info('state.runs', title, detail, 'Remove the oldest folders under .ralph/runs.'));
  } else {
    findings.push(ok('state.runs', title));
  }
  return findings;
}

function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1000)} kB`;
}
