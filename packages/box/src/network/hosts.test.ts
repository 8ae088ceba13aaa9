import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalHost,
  entryFor,
  hostEntries,
  isListed,
  parseAuthority,
  parseHostEntry,
} from '../protocol/hosts.ts';
import { isPrivate } from './route.ts';

const LIST = [
  'api.example.com',
  '*.Example.ORG',
  'registry.example.com:8443',
  'bücher.example.',
  '198.51.100.7',
  '[2001:db8::1]:8080',
  '2001:db8::2',
  'localhost:5432',
  '127.0.0.1:4000',
];
const reaches = (authority: string) => {
  const target = parseAuthority(authority);
  return target !== null && isListed(hostEntries(LIST), target);
};

describe('a list of hosts', () => {
  it.each([
    'api.example.com:443',
    'api.example.com:80',
    'API.EXAMPLE.COM:443',
    'api.example.com.:443',
    'ａｐｉ.example.com:443',
    'a.example.org:443',
    'a.b.example.org:443',
    'registry.example.com:8443',
    'bücher.example:443',
    'xn--bcher-kva.example:443',
    'BÜCHER.example:443',
    '198.51.100.7:443',
    '0xc6336407:443',
    '[2001:db8::1]:8080',
    '[2001:DB8:0:0::1]:8080',
    '[2001:db8::2]:443',
    'localhost:5432',
    '127.0.0.1:4000',
    '127.1:4000',
  ])('reaches %s', (authority) => expect(reaches(authority)).toBe(true));

  it.each([
    ...['api.example.com:8443', 'api.example.com:22', 'registry.example.com:443', '198.51.100.7:8080'],
    ...['example.com:443', 'example.org:443', 'evilexample.org:443', 'api.example.com.evil.test:443'],
    ...['api.example.com@evil.test:443', 'evil.test#api.example.com:443', 'evil.test/api.example.com:443'],
    ...['evil.test\\@api.example.com:443', 'api.example.com%00.evil.test:443', 'api.example.com\0:443'],
    ...['api.example.com..:443', '.example.org:443', '..example.org:443', 'api.example.com', ':443', ''],
    ...['198.51.100.8:443', '[::ffff:198.51.100.7]:443', '[2001:db8::3]:443', '[2001:db8::1]:443'],
    ...['[2001:db8::1%25eth0]:8080', '1.example.org.9:443', '127.0.0.1:4001', '[::1]:4000', '0.0.0.0:4000'],
    ...['api.example.com:0', 'api.example.com:65536', 'api.example.com:443:443', 'api.example.com:+443'],
    ...['api.example.com:443 ', ' api.example.com:443', 'api.example.com\t:443', 'api example.com:443'],
  ])('does not reach %s', (authority) => expect(reaches(authority)).toBe(false));

  it("says of what isn't an entry what is expected", () => {
    const problems = (texts: string[]) => texts.map((text) => parseHostEntry(text)).map((one) => !one.ok);
    const wrong = [
      '',
      '*',
      '*.',
      'https://a.example',
      'a.example/x',
      'a b',
      'a.example:0',
      'a.example:99999',
    ];
    const more = [
      '*.10.0.0.1',
      'user@a.example',
      'a.*.example',
      'xn--a.example',
      '*.xn--a.example',
      'localhost',
      '127.0.0.1',
      '[::1]:80',
      '[::1',
    ];
    expect(problems([...wrong, ...more]).every(Boolean)).toBe(true);
    expect(problems(LIST).some(Boolean)).toBe(false);
  });

  // After xn-- stands punycode: what doesn't decode isn't a host.
  const name = fc
    .stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9](\.[a-z][a-z0-9]{0,5}){1,3}$/)
    .filter((text) => !text.startsWith('xn--'));
  const port = fc.integer({ min: 1, max: 65_535 });

  it('an entry that is named for a refused host allows that host, and no other', () => {
    fc.assert(
      fc.property(name, port, name, port, (host, at, other, elsewhere) => {
        const [wanted, another] = [parseAuthority(`${host}:${at}`), parseAuthority(`${other}:${elsewhere}`)];
        if (wanted === null || another === null) return;
        const entries = hostEntries([entryFor(wanted)]);
        expect(isListed(entries, wanted)).toBe(true);
        if (other !== host) expect(isListed(entries, another)).toBe(false);
      }),
    );
  });

  it('no way to write a host is another host: a canonical one is its own canonical form, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const host = canonicalHost(text);
        if (host === null) return;
        expect(canonicalHost(host)).toBe(host);
        expect(host).toMatch(/^(?:\[[\da-f:]+\]|[^\s/?#@\\:%[\]]+)$/);
        expect(new URL(`http://${host}/`).hostname).toBe(host);
      }),
    );
  });

  it('of a suffix, only what ends with it and has more in front', () => {
    fc.assert(
      fc.property(name, name, (suffix, host) => {
        const entries = hostEntries([`*.${suffix}`]);
        const at = (one: string) => isListed(entries, { host: one, port: 443 });
        expect([at(`a.${suffix}`), at(suffix), at(`x${suffix}`)]).toEqual([true, false, false]);
        if (!host.endsWith(`.${suffix}`)) expect(at(host)).toBe(false);
      }),
    );
  });
});

it.each([
  ...['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
  ...['0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1'],
  ...['::1', '::', 'fe80::1', 'fd00::2', 'ff02::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b::a00:1', '2002:7f00:1::', '2001::1'],
])('%s is an address of this machine or a private network', (address) => {
  expect(isPrivate({ address, family: address.includes(':') ? 6 : 4 })).toBe(true);
});

it.each(['1.1.1.1', '172.32.0.1', '198.51.100.7', '2606:4700::1111', '64:ff9b::101:101', '::ffff:1.1.1.1'])(
  '%s is a public one',
  (address) => expect(isPrivate({ address, family: address.includes(':') ? 6 : 4 })).toBe(false),
);
