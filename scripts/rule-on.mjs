// Gives the evaluations the reviewer's ruling on a command.
import { importSource } from './import-source.mjs';

/** Returns the reviewer's ruling on a command of an agent in an ordinary checkout. */
export const { ruleOn } = await importSource(`
  import { ADAPTERS } from 'ralph-agents';
  import { NO_OWN_FILES } from 'ralph-actions/forms/place';
  import { reviewAction } from 'ralph-actions/review';
  const HOME = '/home/ann';
  const ROOT = HOME + '/shop';
  const THERE = /^\\/(?:etc|usr|bin|var|opt|srv|dev|root|boot|lib)(?:\\/|$)|^\\/home\\/ann(?:\\/(?:\\.|Documents|Pictures|projects|shop\\/|work|backup)|$)/;
  const place = {
    root: ROOT, home: HOME, protectedFolders: [], restricted: null, unseenInput: false,
    realPath: (path) => path, tmpdir: { path: '/tmp', own: false },
    existed: (path) => THERE.test(path) && !/^\\/var\\/tmp\\//.test(path),
    entries: () => [], ownFiles: NO_OWN_FILES, writtenText: () => null,
  };
  export const ruleOn = (command) =>
    reviewAction(ADAPTERS.claude.action({ id: null, tool: 'Bash', input: { command }, cwd: null }), place);
`);
