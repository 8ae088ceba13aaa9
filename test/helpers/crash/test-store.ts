import type { JournalBody } from '../../../src/domain/records/journal.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { importViews } from '../../../src/state/import-views.ts';
import { foldRecords, viewDocuments } from '../../../src/state/index.ts';
import { openStore, type StoreOptions } from '../../../src/store/index.ts';

export const NOW = '2026-01-20T20:35:00.000Z';

/** Returns the app's options of a store, with a clock that stands still. */
export function storeOptions(dir: string, stateHome: string, more: Partial<StoreOptions> = {}): StoreOptions {
  return {
    dir,
    stateHome,
    prepareHome: () => undefined,
    place: 'main',
    fold: { empty: EMPTY_STATE, apply: foldRecords },
    views: (state) => viewDocuments(state, { maxEvents: 1000, feedbackRotationDays: 30, now: NOW }),
    importViews,
    clock: { now: () => NOW, monotonicMs: () => 0 },
    host: 'test-host',
    ...more,
  };
}

/** Opens a store; if that fails, the test fails with its message. */
export function openTestStore(dir: string, stateHome: string, more: Partial<StoreOptions> = {}) {
  const opened = openStore(storeOptions(dir, stateHome, more));
  if (!opened.ok) throw new Error(opened.message);
  return opened;
}

/** Returns a small record that can be found again by its text. */
export function guidance(text: string): JournalBody {
  const entry = { at: NOW, taskId: null, iteration: null, kind: 'guidance', source: 'person', text } as const;
  return { type: 'feedback_added', entry };
}
