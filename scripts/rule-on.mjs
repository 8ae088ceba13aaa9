// What the reviewer says of a command: for the evaluations.
import { importSource } from './import-source.mjs';

/** The reviewer's word on a command of an agent in a checkout of the ordinary kind. */
export const { ruleOn } = await importSource(`
  import { ADAPTERS } from './agent/index.ts';
  import { NOTHING_MADE } from 'ralph-kit/actions/review';
  import { reviewAction } from 'ralph-actions/review';
  const HOME = '/home/ann';
  const ROOT = HOME + '/shop';
  const THERE = /^\\/(?:etc|usr|bin|var|opt|srv|dev|root|boot|lib)(?:\\/|$)|^\\/home\\/ann(?:\\/(?:\\.|Documents|Pictures|projects|shop\\/|work|backup)|$)/;
  const place = {
    root: ROOT, home: HOME, protectedFolders: [], restricted: null, unseenInput: false,
    realPath: (path) => path, tmpdir: { path: '/tmp', own: false },
    existed: (path) => THERE.test(path) && !/^\\/var\\/tmp\\//.test(path),
    entries: () => [], made: NOTHING_MADE, writtenText: () => null,
  };
  export const ruleOn = (command) =>
    reviewAction(ADAPTERS.claude.action({ id: null, tool: 'Bash', input: { command }, cwd: null }), place);
`);
