import { expect, it } from 'vitest';
import { fixFor } from './detect.ts';

it.each([
  ['setting up uid map: Permission denied', true, /bwrap-userns-restrict.*apparmor_parser -r/],
  ['loopback: Failed RTM_NEWADDR: Operation not permitted', true, /bwrap-userns-restrict/],
  ['setting up uid map: Permission denied', false, /security module/],
  ['No permissions to create new namespace, …', true, /seccomp=unconfined/],
  ['Creating new namespace failed: Operation not permitted', false, /seccomp=unconfined/],
  ['Creating new namespace failed: nesting depth or … exceeded (ENOSPC)', true, /max_user_namespaces/],
])('%s (restricted: %s)', (message, isRestricted, fix) => {
  expect(fixFor(message, isRestricted)).toMatch(fix);
  // The advice never switches off the protection of the whole machine.
  expect(fixFor(message, isRestricted)).not.toMatch(/restrict_unprivileged_userns=0/);
});
