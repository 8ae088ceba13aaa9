import { type DataOf, success } from '../result.ts';
import { inWorkspace } from '../setup/project.ts';

export type TrustJournalResult = DataOf<typeof trustJournal>;

/** `ralph trust --journal`: what a journal says counts from now on, though its key isn't here. `null`: there is none. */
export function trustJournal(input: { readonly cwd: string }) {
  return inWorkspace(input, ({ store }) => success({ accepted: store.acceptJournal() }));
}
