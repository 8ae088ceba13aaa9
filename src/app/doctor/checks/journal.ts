import { counted } from 'ralph-kit/counted';
import { match } from 'ralph-kit/match';
import { type OpenIteration, openIterations } from '../../../domain/records/state.ts';
import { check, type DoctorFinding, error, info, ok, warning } from '../check.ts';
import type { JournalFacts } from '../read-journal.ts';

type Facts = {
  readonly journal: JournalFacts;
  readonly interrupted: readonly Pick<OpenIteration, 'taskId' | 'iteration' | 'startedAt'>[];
};

export const journalCheck = check<Facts>({
  gather: ({ journal, state, running }) => ({
    journal,
    interrupted: running ? [] : openIterations(state),
  }),
  judge: ({ journal, interrupted }) =>
    journal.kind === 'read' && interrupted.length > 0
      ? interrupted.map(interruptedFinding)
      : [journalFinding(journal)],
});

function interruptedFinding({ iteration, taskId, startedAt }: Facts['interrupted'][number]): DoctorFinding {
  const detail = `iteration ${iteration} of ${taskId}, started ${startedAt}, has no end`;
  const fix = "ralph run records it as interrupted and continues; it isn't a failed attempt.";
  return info('state.interrupted', 'an attempt was cut off', detail, fix);
}

function journalFinding(journal: JournalFacts): DoctorFinding {
  const id = 'state.journal';
  return match(journal, 'kind', {
    absent: () => ok(id, 'no journal yet', 'the first run begins it'),
    partial: (journal) => {
      const fix = 'The next command cuts it off; nothing acknowledged is lost.';
      const detail = `${journal.cutBytes} bytes of an interrupted write`;
      return info(id, 'the last record is incomplete', detail, fix);
    },
    boxed_off: (journal) =>
      ok(
        id,
        'the journal is shown as it is',
        `${counted(journal.records, 'record')}; ralph checks it outside`,
      ),
    damaged: (journal) => {
      const fix = 'The next run keeps it as journal.jsonl.damaged-TIME and puts back what ralph wrote.';
      return warning(id, 'the journal is damaged', journal.reason, fix);
    },
    unverified: (journal) => {
      const fix = 'If it is yours: ralph trust --journal. Until then its done tasks wait for you.';
      return warning(id, "the journal isn't verified", journal.reason, fix);
    },
    unreadable: (journal) => {
      const fix = 'Give yourself the right to read .ralph/journal.jsonl.';
      return error(id, 'the journal cannot be read', journal.reason, fix);
    },
    read: (journal) => {
      if (journal.newer > 0) {
        const detail = `${counted(journal.newer, 'record')} of a newer version are kept and not used`;
        return warning(id, 'written by a newer ralph', detail, 'Update ralph.');
      }
      return ok(id, 'the journal is whole', counted(journal.records, 'record'));
    },
  });
}
