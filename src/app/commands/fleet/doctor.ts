import { GitError } from '../../../domain/ports.ts';
import { type DoctorFinding, error, ok, warning } from '../../doctor/check.ts';
import { success } from '../../result.ts';
import type { Fleet } from '../../setup/fleet.ts';
import type { ProjectInput } from '../../setup/workspace.ts';
import { VERSION } from '../../version.ts';
import { inFleet } from './control.ts';

/** Milliseconds by which clocks may differ before records become hard to read; no decision depends on clocks. */
const CLOCKS_MS = 5000;

/** Checks a fleet's server, remote and machines. Exit code 2 means at least one error. */
export function fleetDoctor(input: ProjectInput) {
  return inFleet(input, async (fleet, { clock }) => {
    const findings = [
      ...(await serverFindings(fleet, Date.parse(clock.now()))),
      await remoteFinding(fleet),
      ...(await workerFindings(fleet)),
    ];
    const count = (status: DoctorFinding['status']) => findings.filter((one) => one.status === status).length;
    const counts = { ok: count('ok'), info: count('info'), warning: count('warning'), error: count('error') };
    return success({ counts, findings }, counts.error > 0 ? 2 : 0);
  });
}

/** Settings with which a server keeps every write and evicts nothing. */
const FIXES = {
  Redis: {
    keeps: 'Start it with --appendonly yes --appendfsync always.',
    evicts: 'Start it with --maxmemory-policy noeviction.',
  },
  Postgres: { keeps: 'Set fsync = on and synchronous_commit = on.', evicts: '' },
} as const;
const UNNAMED = "the server doesn't show its settings to this user";

async function serverFindings({ engine }: Fleet, now: number): Promise<DoctorFinding[]> {
  const { server, version, keeps, evicts, ...at } = await engine.server();
  const apart = Math.abs(at.now - now) - at.tookMs;
  const fixes = FIXES[server];
  return [
    ok('fleet.server', `${server} answers`, version ?? ''),
    keeps?.isSure === true
      ? ok('fleet.persistence', `${server} keeps each write`, keeps.by)
      : warning(
          'fleet.persistence',
          `${server} may forget jobs when it is killed`,
          keeps?.by ?? UNNAMED,
          `${fixes.keeps} What it forgets is queued again.`,
        ),
    evicts?.isSure === false
      ? error('fleet.eviction', `${server} may evict jobs`, evicts.by, fixes.evicts)
      : ok('fleet.eviction', `${server} evicts nothing`, evicts?.by ?? (server === 'Redis' ? UNNAMED : '')),
    apart <= CLOCKS_MS
      ? ok('fleet.clock', 'The clocks agree')
      : warning(
          'fleet.clock',
          `The clock here differs from that of ${server}`,
          `by ${Math.round(apart / 1000)} s`,
          'Let both machines set their clocks by NTP.',
        ),
  ];
}

async function remoteFinding({ remote }: Fleet): Promise<DoctorFinding> {
  const { name } = remote;
  const fix = `Use a remote where you may push refs/ralph/*, of a git with atomic pushes.`;
  try {
    return (await remote.probe()) === 'ok'
      ? ok('fleet.remote', `${name} takes refs/ralph/*, and pushes are atomic`)
      : error('fleet.remote', `${name} moves refs of one push although another one is refused`, '', fix);
  } catch (problem) {
    if (!(problem instanceof GitError)) throw problem;
    return error('fleet.remote', `${name} doesn't take refs/ralph/*`, problem.message, fix);
  }
}

async function workerFindings({ engine }: Fleet): Promise<DoctorFinding[]> {
  const workers = await engine.workers();
  const others = workers.filter(({ version }) => version !== VERSION);
  if (workers.length === 0)
    return [
      warning('fleet.workers', 'No worker is up', '', 'Start one in another clone: ralph fleet worker'),
    ];
  if (others.length === 0) return [ok('fleet.workers', 'All workers have this version', VERSION)];
  return others.map(({ name, version }) =>
    error(
      'fleet.workers',
      `${name} has another version of ralph`,
      `${version}, here is ${VERSION}`,
      'Install the same version everywhere: jobs of another one are not taken.',
    ),
  );
}
