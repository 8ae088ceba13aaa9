import { supervisionKind } from 'ralph-box/launch/launch-with-shim';
import { check, findProgram, ok, warning } from '../check.ts';

export const machineCheck = check({
  gather: () => ({
    platform: process.platform,
    node: process.versions.node,
    /** Path of perl; `null`: not installed. */
    perl: findProgram('perl', '/'),
    supervision: supervisionKind(),
  }),
  judge: ({ platform, node, perl, supervision }) => {
    const id = 'machine.supervision';
    const system = ok('machine.node', `Node ${node} on ${platform}`);
    if (supervision.kind === 'subreaper') return [system, ok(id, 'sub-reaper', supervision.detail)];
    const fix =
      platform !== 'linux'
        ? 'Nothing to do here: on Linux, ralph ends every descendant.'
        : perl === null
          ? 'Install perl (it comes with most systems; no modules are needed).'
          : 'Run ralph where prctl is allowed (a container may forbid it).';
    return [system, warning(id, 'agents are ended by group and marker', supervision.detail, fix)];
  },
});
