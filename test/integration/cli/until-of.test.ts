import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../helpers/bundle.ts';

let program = '';
beforeAll(async () => {
  program = await bundle(new URL('../../../src/cli/until-of.ts', import.meta.url));
});

const SCRIPT = `const times = await import(process.argv[1]);
console.log(times[process.argv[4]](process.argv[2], new Date(process.argv[3]))?.toISOString() ?? 'none');`;

/** In a process of its own: the zone of one that runs stays as it was. */
function until(text: string, now: string, zone = 'Europe/Berlin', meant = 'untilOf'): string {
  const args = ['--input-type=module', '-e', SCRIPT, '--', program, text, now, meant];
  return execFileSync(process.execPath, args, { env: { TZ: zone }, encoding: 'utf8' }).trim();
}

describe('--until', () => {
  it.each([
    ['later today', '07:00', '2026-01-10T05:00:00Z', '2026-01-10T06:00:00.000Z'],
    ['tomorrow', '07:00', '2026-01-10T06:30:00Z', '2026-01-11T06:00:00.000Z'],
    ['tomorrow at this very minute', '7:00', '2026-01-10T06:00:00Z', '2026-01-11T06:00:00.000Z'],
    ['over the end of a year', '00:30', '2026-12-31T20:00:00Z', '2026-12-31T23:30:00.000Z'],
    ['in the night in which clocks go forward', '07:00', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['at a time that is skipped', '02:30', '2026-03-28T22:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['in the night in which clocks go back', '07:00', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['at a time that comes twice', '02:30', '2026-10-24T21:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['at its second coming', '02:30', '2026-10-25T00:45:00Z', '2026-10-25T01:30:00.000Z'],
    ['after that', '02:30', '2026-10-25T01:45:00Z', '2026-10-26T01:30:00.000Z'],
    ['in minutes', '90m', '2026-01-10T05:00:00Z', '2026-01-10T06:30:00.000Z'],
    ['in hours and minutes', '1h30m', '2026-01-10T05:00:00Z', '2026-01-10T06:30:00.000Z'],
    ['at a date and time of here', '2026-07-01T07:00', '2026-01-10T05:00:00Z', '2026-07-01T05:00:00.000Z'],
    [
      'the same with a blank and seconds',
      '2026-07-01 07:00:30',
      '2026-01-10T05:00:00Z',
      '2026-07-01T05:00:30.000Z',
    ],
    ['at a time of UTC', '2026-07-01T07:00Z', '2026-01-10T05:00:00Z', '2026-07-01T07:00:00.000Z'],
    [
      'at a time of another zone',
      '2026-07-01T07:00+0530',
      '2026-01-10T05:00:00Z',
      '2026-07-01T01:30:00.000Z',
    ],
  ])('%s', (_what, text, now, expected) => {
    expect(until(text, now)).toBe(expected);
  });

  it('knows clocks that are put back by half an hour', () => {
    const now = '2026-04-04T14:45:00Z';
    expect(until('01:40', now, 'Australia/Lord_Howe')).toBe('2026-04-04T15:10:00.000Z');
  });

  it.each([
    '',
    '7',
    '24:00',
    '07:60',
    '0s',
    '2030-02-30T07:00',
    '2030-13-01T07:00',
    '2030-01-01',
    'soon',
    '-2h',
    '07:00pm',
  ])('is not %j', (text) => {
    expect(until(text, '2026-01-10T05:00:00Z')).toBe('none');
  });
});

describe('--since', () => {
  it.each([
    ['earlier today', '18:00', '2026-01-10T20:00:00Z', '2026-01-10T17:00:00.000Z'],
    ['yesterday', '18:00', '2026-01-10T06:00:00Z', '2026-01-09T17:00:00.000Z'],
    ['this very minute', '7:00', '2026-01-10T06:00:00Z', '2026-01-10T06:00:00.000Z'],
    ['hours ago', '8h', '2026-01-10T06:00:00Z', '2026-01-09T22:00:00.000Z'],
    ['a date and time of here', '2026-07-01T07:00', '2026-07-02T05:00:00Z', '2026-07-01T05:00:00.000Z'],
    ['no time', 'yesterday', '2026-01-10T06:00:00Z', 'none'],
  ])('%s', (_, text, now, expected) => {
    expect(until(text, now, 'Europe/Berlin', 'sinceOf')).toBe(expected);
  });
});
