import type { Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { bypassSignals } from './bypass.ts';
import { codeSignals } from './code.ts';
import { commandFlagSignals } from './command-flags.ts';
import { disabledCheckSignals } from './disabled-checks.ts';
import { droppedErrorSignals } from './dropped-errors.ts';
import { exportSignals } from './exports.ts';
import { listSignals } from './lists.ts';
import { literalSignals } from './literals.ts';
import { mockSignals } from './mocks.ts';
import { pipelineSignals } from './pipeline.ts';
import { policySignals } from './policy.ts';
import { rowSignals } from './rows.ts';
import { selectionSignals } from './selections.ts';
import { settingSignals } from './settings.ts';
import { skipSignals } from './skips.ts';
import { snapshotSignals } from './snapshots.ts';
import { specialCaseSignals } from './special-cases.ts';
import { strictnessSignals } from './strictness.ts';
import { suppressionSignals } from './suppressions.ts';
import { testSignals } from './tests.ts';
import { uncollectedSignals } from './uncollected.ts';
import { unreachedCheckSignals } from './unreached-checks.ts';

/** Each looks for one kind of sign in all files of a diff. */
export const SIGNALS: readonly ((changes: Changes) => readonly Signal[])[] = [
  testSignals,
  rowSignals,
  skipSignals,
  disabledCheckSignals,
  unreachedCheckSignals,
  uncollectedSignals,
  snapshotSignals,
  bypassSignals,
  literalSignals,
  specialCaseSignals,
  mockSignals,
  suppressionSignals,
  settingSignals,
  listSignals,
  pipelineSignals,
  commandFlagSignals,
  strictnessSignals,
  policySignals,
  codeSignals,
  droppedErrorSignals,
  exportSignals,
  selectionSignals,
];
