import type { Language } from '../protocol.ts';

export const language: Language = {
  files: { settings: /(?:^|\/)rebar\.config(?:\.script)?$/ },
  packages: { manifests: /^rebar\.config$/, locks: [{ file: 'rebar.lock' }], hosts: [] },
  programs: 'rebar3 erl',
};
