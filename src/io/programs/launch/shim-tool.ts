import { ownProgram } from '../start/own-program.ts';
import { startSync } from '../start/start-program.ts';

/** What the supervisor of `shim-script.ts` needs from the machine. */
export type ShimTool =
  | { readonly kind: 'found'; readonly perl: string; readonly prctl: number }
  | { readonly kind: 'none'; readonly reason: string };

export type FoundTool = Extract<ShimTool, { kind: 'found' }>;

/** How processes are supervised on this machine; `detail` is for the user. */
export type SupervisionKind = { readonly kind: 'subreaper' | 'group-scan'; readonly detail: string };

/** Numbers of the system call `prctl`, from the kernel's tables. */
const PRCTL: Partial<Record<NodeJS.Architecture, number>> = { x64: 157, arm64: 167 };

/** The system's own Perl starts faster than most others. */
const SYSTEM_PERL = '/usr/bin/perl';

/** Becomes a sub-reaper (36) and asks whether it is one (37). */
const PROBE = `
my $n = $ARGV[0] + 0; my $is = pack('i', 0);
exit(1) if syscall($n, 36, 1, 0, 0, 0) != 0 || syscall($n, 37, $is, 0, 0, 0) != 0;
exit(unpack('i', $is) == 1 ? 0 : 1);`;

/** Looks for the parts of the sub-reaper without starting anything. */
export function findShimTool(): ShimTool {
  if (process.platform !== 'linux') return { kind: 'none', reason: 'sub-reapers exist on Linux only' };
  const prctl = PRCTL[process.arch];
  if (prctl === undefined) {
    return { kind: 'none', reason: `the sub-reaper is not known for the processor ${process.arch}` };
  }
  for (const name of [SYSTEM_PERL, 'perl']) {
    const perl = ownProgram(name);
    if (perl.kind === 'found') return { kind: 'found', perl: perl.path, prctl };
  }
  return { kind: 'none', reason: 'perl was not found' };
}

/** What this machine gives, tried out once. @see design: Process and platform */
export function supervisionKind(): SupervisionKind {
  const tool = findShimTool();
  if (tool.kind === 'none') return groupScan(tool.reason);
  const probe = startSync(tool.perl, ['-e', PROBE, String(tool.prctl)], { env: { LC_ALL: 'C' } });
  if (probe.status !== 0) return groupScan(`${tool.perl} cannot become a sub-reaper here`);
  return { kind: 'subreaper', detail: `every descendant of an agent is ended, through ${tool.perl}` };
}

function groupScan(reason: string): SupervisionKind {
  return {
    kind: 'group-scan',
    detail:
      `${reason}: agents are ended by process group, parentage and a marker in their environment. ` +
      'A process that hides from all three, or outlives a killed ralph, can stay alive.',
  };
}
