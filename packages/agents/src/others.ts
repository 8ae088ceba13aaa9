import { OF_PROVIDERS, type OwnNotes, type Program } from './protocol.ts';

const AGENTS_NOTES: OwnNotes = { files: ['AGENTS.md'], which: 'all', disablingArguments: [] };

/** Programs without an adapter, as far as something is known of them that a command of yours needs. */
export const OTHERS: Readonly<Record<string, Program>> = {
  auggie: { settingsFolders: ['.augment'] },
  cline: {
    notes: AGENTS_NOTES,
    aside: { cannotBegin: /^error: / },
    // cline 3.0.65: 62 s between six tries.
    silentRetriesMs: 70_000,
    // cline 3.0.65 ends only its command when it is asked to end.
    endsAtOnce: true,
  },
  cn: {
    notes: AGENTS_NOTES,
    aside: { cannotBegin: /^\{"status":"error","message":/ },
    // cn 1.5.47: up to 130 s between eleven tries, 3 s each.
    silentRetriesMs: 170_000,
    settingsFolders: ['.continue'],
  },
  'cursor-agent': { settingsFolders: ['.cursor', '.config/cursor'] },
  goose: {
    home: {
      folders: [
        { path: '.config/goose', variable: null, base: 'XDG_CONFIG_HOME' },
        { path: '.local/share/goose', variable: null, base: 'XDG_DATA_HOME' },
        { path: '.local/state/goose', variable: null, base: 'XDG_STATE_HOME' },
      ],
      // `permission.yaml` is left out: goose wouldn't ask about what you always allow.
      settings: [
        '.config/goose/config.yaml',
        '.config/goose/secrets.yaml',
        '.config/goose/custom_providers',
        '.config/goose/.goosehints',
      ],
      sessions: ['.local/share/goose/sessions'],
      signIns: [],
      copies: [],
      nests: false,
    },
    inherits: { which: 'but-secrets', additional: ['GOOSE_*', ...OF_PROVIDERS] },
    notes: { files: ['AGENTS.md', '.goosehints'], which: 'all', disablingArguments: [] },
    acp: {
      args: ['acp'],
      // goose's default mode never asks. Between retries goose silently waits up to an hour.
      env: { GOOSE_MODE: 'approve', GOOSE_PROVIDER_SKIP_BACKOFF: 'true' },
      modelFlag: null,
      modelVariable: 'GOOSE_MODEL',
      failure:
        /^Ran into this error: ([\s\S]+?)\.?\n\nPlease retry if you think this is a transient or recoverable error\.$/,
      edits: 'each',
      commands: 'each',
      network: 'unseen',
      helpersAsk: false,
    },
  },
};
