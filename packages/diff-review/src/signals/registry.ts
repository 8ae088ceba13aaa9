import type { Changes } from '../change.ts';
import type { Signal } from '../finding.ts';
import { answerSignals } from './answers.ts';
import { bypassSignals } from './bypass.ts';
import { disabledCheckSignals } from './disabled-checks.ts';
import { caughtErrorSignals } from './errors/caught.ts';
import { droppedErrorSignals } from './errors/dropped.ts';
import { swallowedErrorSignals } from './errors/swallowed.ts';
import { exportSignals } from './exports.ts';
import { listSignals } from './gates/lists.ts';
import { pipelineSignals } from './gates/pipeline.ts';
import { policySignals } from './gates/policy.ts';
import { settingSignals } from './gates/settings.ts';
import { suppressionSignals } from './gates/suppressions.ts';
import { literalSignals } from './literals.ts';
import { mockSignals } from './mocks.ts';
import { rowSignals } from './rows.ts';
import { skipSignals } from './skips.ts';
import { snapshotSignals } from './snapshots.ts';
import { stubSignals } from './stubs.ts';
import { testSignals } from './tests.ts';

/** Each detector looks for one kind of signal in all files of a diff. */
export const SIGNALS: readonly ((changes: Changes) => readonly Signal[])[] = [
  testSignals,
  rowSignals,
  skipSignals,
  disabledCheckSignals,
  snapshotSignals,
  bypassSignals,
  literalSignals,
  answerSignals,
  mockSignals,
  suppressionSignals,
  settingSignals,
  listSignals,
  pipelineSignals,
  policySignals,
  stubSignals,
  swallowedErrorSignals,
  droppedErrorSignals,
  caughtErrorSignals,
  exportSignals,
];
