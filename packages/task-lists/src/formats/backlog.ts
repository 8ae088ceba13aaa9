import type { TaskList } from '../task-list.ts';

/** Format of Backlog.md: a folder with one file for each task, read by `entries/read-folder.ts`. */
export const BACKLOG_FORMAT: TaskList = {
  storage: 'file',
  names: [],
  laterNames: [],
  elsewhere: ['backlog/tasks', '.backlog/tasks'],
  ownsPath: () => false,
  ownsText: (text) => text.startsWith('\u0000'),
  settings: {
    paths: () => ['../config.yml', '../config.yaml', '../../backlog.config.yml'],
    load: async () => (await import('../entries/read-settings.ts')).backlogWords,
  },
  reader: { load: async () => (await import('../entries/read-folder.ts')).readFolder },
};
