import { describe, expect, it } from 'vitest';
import { gateSpecs } from '../../../src/config/index.ts';
import { config } from './load.ts';

function names(...commands: string[]): string[] {
  return gateSpecs(config(`[gates]\ncommands = ${JSON.stringify(commands)}`)).map((spec) => spec.name);
}

describe('gateSpecs', () => {
  it('fills a plain command in from [gates]', () => {
    expect(gateSpecs(config('[gates]\ncommands = ["npm test"]\ntimeout = "2m"'))).toEqual([
      {
        name: 'npm test',
        run: 'npm test',
        timeoutMs: 120_000,
        onMissing: 'fail',
        paths: null,
        required: false,
        box: true,
        heldOut: null,
        parses: [],
      },
    ]);
  });

  it('takes what an entry says for itself', () => {
    const text =
      '[[gates.commands]]\nname = "unit"\nrun = "npx vitest"\ntimeout = 0.5\non_missing = "skip"\npaths = ["src/**"]\nrequired = true\nparses = "vitest"';
    expect(gateSpecs(config(text))).toEqual([
      {
        name: 'unit',
        run: 'npx vitest',
        timeoutMs: 500,
        onMissing: 'skip',
        paths: ['src/**'],
        required: true,
        box: true,
        heldOut: null,
        parses: ['vitest'],
      },
    ]);
  });

  it('a held-out gate is required', () => {
    const text = '[[gates.commands]]\nrun = "make hidden"\nheld_out = "~/hidden"\nrequired = false';
    expect(gateSpecs(config(text))).toMatchObject([{ heldOut: '~/hidden', required: true }]);
  });

  it('has defaults', () => {
    expect(gateSpecs(config('[gates]\ncommands = ["make"]'))[0]).toMatchObject({
      timeoutMs: 600_000,
      onMissing: 'fail',
    });
    expect(gateSpecs(config(null))).toEqual([]);
  });

  it.each([
    ['npm run lint -- --max-warnings 0', 'npm run lint'],
    ['npx tsc --noEmit', 'npx tsc'],
    ['uv run pytest -q', 'uv run pytest'],
    ['cd web && npm test', 'npm test'],
    ['CI=1 npm test', 'npm test'],
    ['make test | tee log', 'make test'],
    ['cargo fmt; cargo test', 'cargo fmt'],
    ['./scripts/check.sh', './scripts/check.sh'],
    ['go test ./... -race', 'go test ./...'],
    ['true', 'true'],
    ['A=1', 'gate'],
  ])('%s is called %s', (command, name) => {
    expect(names(command)).toEqual([name]);
  });

  it('gives every gate a name of its own', () => {
    expect(names('npm test -- a', 'npm test -- b', 'npm test -- c')).toEqual([
      'npm test',
      'npm test (2)',
      'npm test (3)',
    ]);
    const text = '[gates]\ncommands = ["npm test", { name = "npm test", run = "x" }]';
    expect(gateSpecs(config(text)).map((spec) => spec.name)).toEqual(['npm test (2)', 'npm test']);
  });

  it('puts prek last where it is on, its arguments quoted for the shell', () => {
    const text =
      '[gates]\ncommands = ["make"]\n[gates.prek]\nenabled = true\nargv = ["prek", "run", "it\'s all"]';
    expect(gateSpecs(config(text)).map(({ name, run }) => [name, run])).toEqual([
      ['make', 'make'],
      ['prek', "prek run 'it'\\''s all'"],
    ]);
  });
});
