import type { FileFormat } from '../tracker-format.ts';

/** YAML task files, read by `entries/read-yaml.ts`. */
export const YAML_FORMAT: FileFormat = {
  storage: 'file',
  names: ['tasks.yaml', 'tasks.yml'],
  laterNames: [],
  ownsPath: (path) => /\.ya?ml$/i.test(path),
  ownsText: () => false,
  reader: { load: async () => (await import('../entries/read-yaml.ts')).readYaml },
};
