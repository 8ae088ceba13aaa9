import type { FileFormat } from '../tracker-format.ts';

/** The folder of Backlog.md, with a file for each task; `entries/read-folder.ts` reads it. */
export const BACKLOG_FORMAT: FileFormat = {
  kept: 'file',
  names: [],
  laterNames: [],
  elsewhere: ['backlog/tasks', '.backlog/tasks'],
  ownsPath: () => false,
  ownsText: (text) => text.startsWith('\u0000'),
  reader: { load: async () => (await import('../entries/read-folder.ts')).readFolder },
};
