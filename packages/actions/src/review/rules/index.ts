import type { Rule } from '../rule.ts';
import {
  interactiveShell,
  preventBroadKill,
  preventDestroyingServices,
  preventDroppingDatabases,
  preventEnvironmentCode,
  preventExhaustion,
  preventOpeningShells,
  preventPrivileges,
  preventPublishing,
  preventRunningDownloads,
  preventScheduling,
  preventSelfApproval,
  preventSystemChanges,
  warnExternalNetwork,
  warnUnreadScript,
} from './by-kind.ts';
import { warnDeletionOutOfScope } from './files/deletion-out-of-scope.ts';
import { deletionOutside } from './files/deletion-outside.ts';
import { preventRecursiveDeletion } from './files/prevent-recursive-deletion.ts';
import { protectedWrite } from './files/protected-write.ts';
import { unknownTarget } from './files/unknown-target.ts';
import { writeGitFolder } from './files/write-git-folder.ts';
import { writeOutside } from './files/write-outside.ts';
import { preventBypassingChecks } from './git/bypass-checks.ts';
import { preventDeletingHistory } from './git/delete-history.ts';
import { preventDiscardingChanges } from './git/discard-changes.ts';
import { preventForcePush } from './git/overwrite-remote.ts';
import { stashOwnFiles } from './git/stash-own-files.ts';
import { preventContainerMounts } from './machine/container-mounts.ts';
import { frozenInstall } from './machine/frozen-install.ts';
import { restricted } from './machine/restricted.ts';
import { unparsed } from './machine/unparsed.ts';
import { preventReadingCredentials } from './network/read-credentials.ts';
import { preventSendingData } from './network/send-data.ts';

/** All built-in rules. Among equally strict rulings on one effect, the agent hears the rule that comes first. */
export const RULES: readonly Rule[] = [
  deletionOutside,
  protectedWrite,
  unknownTarget,
  interactiveShell,
  unparsed,
  restricted,
  preventSelfApproval,
  writeGitFolder,
  preventRecursiveDeletion,
  writeOutside,
  preventDiscardingChanges,
  preventForcePush,
  preventDeletingHistory,
  preventBypassingChecks,
  preventReadingCredentials,
  preventSendingData,
  preventRunningDownloads,
  preventOpeningShells,
  preventPublishing,
  preventDroppingDatabases,
  preventDestroyingServices,
  preventContainerMounts,
  preventBroadKill,
  preventPrivileges,
  preventEnvironmentCode,
  preventScheduling,
  preventSystemChanges,
  preventExhaustion,
  frozenInstall,
  stashOwnFiles,
  warnDeletionOutOfScope,
  warnUnreadScript,
  warnExternalNetwork,
];
