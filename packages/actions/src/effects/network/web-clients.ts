import {
  type Field,
  fieldText,
  hasFlag,
  programName,
  SECRET_MARK,
  type SimpleCommand,
  shownField,
  splitArguments,
} from '../../shell/index.ts';
import type { Effect } from '../effect.ts';
import { hostOf, LOCAL, networkEffect, REGISTRY } from './hosts.ts';
import { type Body, bodyOf, fedWith, fileSends, isOpaque, type Reader, strongest } from './sends.ts';

const CURL_VALUED = [
  ...'-X --request -H --header -u --user -A --user-agent -e --referer -b --cookie -o --output'.split(' '),
  ...'--output-dir -D --dump-header -c --cookie-jar -w --write-out -m --max-time --retry -x'.split(' '),
  ...'--connect-timeout --retry-delay --proxy --cacert -E --cert --key -r --range -K --config'.split(' '),
  ...'--resolve --url -y -Y --limit-rate --unix-socket -z'.split(' '),
];
const CURL_DATA =
  '-d --data --data-raw --data-binary --data-ascii --data-urlencode --json --form-string --url-query'.split(
    ' ',
  );
const CURL_FILES = ['-F', '--form', '-T', '--upload-file'];

export const curl: Reader = (command, context) => {
  const { flags, values, operands } = splitArguments(command.argv.slice(1), [
    ...CURL_VALUED,
    ...CURL_DATA,
    ...CURL_FILES,
  ]);
  const of = (names: readonly string[]) => names.flatMap((each) => values.get(each) ?? []);
  const method = of(['-X', '--request']).map(fieldText).at(-1)?.toUpperCase() ?? '';
  const data = of(CURL_DATA);
  const uploads = of(['-T', '--upload-file']);
  const forms = of(['-F', '--form']);
  const bodies: Body[] = [
    ...data.map((value) => bodyOf(value, /^[\w.-]*@/, command, context)),
    ...uploads.map((value) => bodyOf({ ...value, head: `@${value.head}` }, /^@/, command, context)),
    ...forms.map((value) => bodyOf(value, /^[^=]*=[@<]/, command, context)),
  ];
  const cookies = of(['-b', '--cookie']).filter(({ head }) => !head.includes('='));
  const raw = uploads.length > 0 || forms.some(({ head }) => /^[^=]*=@/.test(head));
  const binary = of(['--data-binary', '-d', '--data']).some(({ head }) => head === '@-');
  const sends = strongest([
    ...bodies,
    ...operands.map((url) => bodyOf(url, /^\uE006/, command, context)),
    ...cookies
      .filter((file) => fileSends(file, command, context) === 'credentials')
      .map((): Body => 'credentials'),
    ...of(['-A', '--user-agent', '-e', '--referer', '-o', '--output', '-H', '--header'])
      .filter((header) => fieldText(header).includes(SECRET_MARK) && !PROVES.test(fieldText(header)))
      .map((): Body => 'credentials'),
    // The input is sent unchanged in these protocols.
    ...(operands.some(({ head }) => /^(?:telnet|gopher|dict|tftp):/.test(head))
      ? [fedWith(command, context)]
      : []),
  ]);
  const heavy =
    sends === 'data' && (raw || (binary && fedWith(command, context) !== 'nothing' && isOpaque(command)));
  const gets = hasFlag(flags, '-G', '--get') && sends !== 'credentials';
  const out =
    (bodies.length > 0 && !gets) ||
    sends === 'credentials' ||
    /^(?:POST|PUT|PATCH|DELETE|PURGE|BAN)$/.test(method);
  const requests = [...operands, ...of(['--url'])].flatMap((url) =>
    request(command, url, { method, out, sends: heavy ? 'file' : sends }),
  );
  // An address may be unknown for the same reason as the data, so credentials count even without a host.
  const unnamed = requests.length === 0 && sends === 'credentials';
  const shown = command.argv.map(shownField).join(' ').slice(0, 120);
  const removes = data.some((text) => REMOVES.test(fieldText(text)));
  // A request to a container engine's socket can destroy containers of this machine.
  const door = of(['--unix-socket']).some(({ head }) => /(?:docker|podman|containerd)\.sock$/.test(head));
  return [
    ...requests,
    ...(unnamed ? [networkEffect('curl', null, { direction: 'out', sends })] : []),
    ...(door && out ? [{ kind: 'destroys' as const, by: 'curl', shown, what: 'local' as const }] : []),
    ...(removes ? [{ kind: 'destroys' as const, by: 'curl', shown, what: 'remote' as const }] : []),
  ];
};

const PROVES = /^(?:authorization|(?:x-)?(?:api|auth)[\w-]*|private-token|cookie)\s*:/i;
/** Bodies that ask a service to remove something, in the forms of Solr, Elasticsearch and GraphQL. */
const REMOVES =
  /<delete>|"delete"\s*:\s*\{\s*"query"|\bmutation\b[\s\S]{0,300}\b(?:delete|remove|destroy)[A-Z]/;
const SEARCH_PORTS =
  /:(?:2375|2376|8001|8444|8983|9093|8081|8083|2019|9200|9300|7700|8108|5984|8086|2379|8500|8200|15672|8098|9090|6333)(?:\/|$)/;
const SWEEPING = /\/(?:_all|\*)|[^?]*\*|\/_delete_by_query|\/_close\b|\/_flush_all|\/admin\/(?:\w+\/)*delete/;
const GONE =
  /\/(?:_delete_by_query|_close|doDelete|admin\/tsdb\/(?:delete_series|clean_tombstones)|-\/quit|actuator\/shutdown|purge_cache|purge_everything|delete-batch|_shutdown|agent\/(?:force-)?leave)\b/;

function request(
  command: SimpleCommand,
  url: Field,
  { method, out, sends }: { method: string; out: boolean; sends: Body },
): readonly Effect[] {
  const name = programName(command.argv[0]);
  const address = fieldText(url);
  const host = url.kind === 'exact' || /^[a-z]+:\/\/[^/]*\//i.test(url.head) ? hostOf(url.head) : null;
  const reach =
    host !== null && LOCAL.test(host)
      ? 'local'
      : host !== null && REGISTRY.test(host) && !out
        ? 'registry'
        : 'external';
  const effect = networkEffect(name, host, { direction: out ? 'out' : 'in', reach, sends });
  const shown = `${method} ${shownField(url)}`.trim().slice(0, 120);
  const isGone = method === 'PURGE' || method === 'BAN' || GONE.test(address);
  const store = reach !== 'local' || SEARCH_PORTS.test(address) || SWEEPING.test(address);
  const gone = (method === 'DELETE' && store) || isGone;
  return gone ? [effect, { kind: 'destroys', by: name, shown, what: 'remote' }] : [effect];
}

export const wget: Reader = (command, context) => {
  const valued =
    '-O -P -U --header -o -a -t -T -e -i -Q --user --password --post-file --post-data --body-file --body-data --method';
  const { values, operands, flags } = splitArguments(command.argv.slice(1), valued.split(' '));
  // wget accepts beginnings of long options: `--post-f`.
  const cut = command.argv
    .slice(1)
    .flatMap((arg) => /^--(?:post-f|body-f)[a-z]*=(.*)$/s.exec(arg.head)?.[1] ?? []);
  const filed = [...(values.get('--post-file') ?? []), ...(values.get('--body-file') ?? [])];
  const named = [...filed, ...cut.map((head) => ({ kind: 'exact' as const, head, tail: '' }))];
  const data = [...(values.get('--post-data') ?? []), ...(values.get('--body-data') ?? [])];
  const method = values.get('--method')?.map(fieldText)[0]?.toUpperCase() ?? '';
  const uploads = named.map(
    (file) => (fileSends(file, command, context) === 'credentials' ? 'credentials' : 'file') as Body,
  );
  const sends = strongest([
    ...uploads,
    ...data.map((value) => bodyOf(value, /^\uE006./, command, context)),
    ...[...operands, ...(values.get('--header') ?? [])]
      .filter((each) => fieldText(each).includes(SECRET_MARK))
      .map((): Body => 'credentials'),
  ]);
  const out =
    named.length > 0 ||
    data.length > 0 ||
    /^(?:POST|PUT|PATCH|DELETE)$/.test(method) ||
    hasFlag(flags, '--post-data');
  return operands.flatMap((url) => request(command, url, { method, out, sends }));
};
