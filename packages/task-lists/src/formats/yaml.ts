import type { TaskList } from '../task-list.ts';

/** YAML task files, read by `entries/read-yaml.ts`. */
export const YAML_FORMAT: TaskList = {
  storage: 'file',
  names: ['tasks.yaml', 'tasks.yml'],
  laterNames: [],
  ownsPath: (path) => /\.ya?ml$/i.test(path),
  ownsText: () => false,
  reader: { load: async () => (await import('../entries/read-yaml.ts')).readYaml },
};
