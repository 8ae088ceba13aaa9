import { type Field, fieldText, type SimpleCommand, splitArguments } from '../../shell/index.ts';
import { programNamed } from '../catalogue/index.ts';
import type { Effect } from '../effect.ts';
import { dropsData, dropsRecords, dropsStore } from '../sql.ts';
import { destroys, type Saying, type Words } from './words.ts';

/** Tools of frameworks that empty or drop a database. */
const FRAMEWORKS =
  /(?:^|\s)(?:(?:db|schema|database|ecto|doctrine:\w+|mongoid)[:.](?:\w+[:.])?(?:drop|reset|purge|wipe|truncate\w*|clean)(?!-)(?!\S*[:_.-]test\b)\S*|(?:db:)?(?:migrate|seed)\S*:undo:all|db:seed:replant|migrate:(?:fresh|reset|refresh)|migrate (?:fresh|reset|refresh|drop)|migrate \S+ zero|database (?:drop|reset|update 0)|db downgrade base|schema clean|sql-drop|reset_db|drop-all|drop_all)(?=\s|$)/;

export const DATABASES: readonly Saying[] = [
  { programs: 'dropdb dropuser', line: /./, does: destroys('database') },
  { programs: 'mysqladmin', verbs: /\b(?:drop|shutdown|flush-\w+)\b/, does: destroys('database') },
  { programs: 'pg_resetwal pg_dropcluster pg_rewind', line: /\S/, does: destroys('database') },
  { programs: 'mongorestore', line: /--drop\b/, does: destroys('database') },
  {
    programs: 'goose dbmate migrate',
    verbs: /(?:^|\s)(?:reset|drop|down-to 0|down -all)(?=\s|$)/,
    does: destroys('database'),
  },
  { programs: 'pg_restore', line: /(?:^|\s)(?:-c|--clean)\b/, does: destroys('database') },
  { programs: 'prisma', line: /^db push\b.*--(?:force-reset|accept-data-loss)/, does: destroys('database') },
  { programs: 'prisma', verbs: /^migrate reset/, does: destroys('database') },
  { programs: 'drizzle-kit', verbs: /^drop/, does: destroys('database') },
  { programs: 'alembic', verbs: /^downgrade base/, does: destroys('database') },
  { programs: 'flyway', verbs: /^clean/, does: destroys('database') },
  { programs: 'liquibase', verbs: /^drop/, does: destroys('database') },
  { programs: 'knex', line: /^migrate:rollback\b.*--all/, does: destroys('database') },
  {
    programs: 'rake rails',
    line: /^db:schema:load\b.*DISABLE_DATABASE_ENVIRONMENT_CHECK/,
    does: destroys('database'),
  },
  { programs: 'manage.py django-admin', verbs: /^(?:flush|reset_db|sqlflush)/, does: destroys('database') },
  { programs: 'python python3', verbs: /^\S*manage\.py (?:flush|reset_db)\b/, does: destroys('database') },
  {
    programs: 'redis-cli valkey-cli keydb-cli',
    line: /(?:^|\s)(?:flushall|flushdb|shutdown|debug|script flush|replicaof|slaveof|cluster reset|acl deluser)\b|\bconfig set (?:dir|dbfilename)\b|\b(?:eval|evalsha)\b.*flush(?:all|db)|(?:^|\s)(?:del|unlink)(?:\s|$).*[\uE000\uE001]/i,
    does: destroys('database'),
  },
  { programs: 'memcached-tool memcflush', line: /flush|^/, does: destroys('database') },
];

/** Options that hold a text for a database; `operand`: it may stand behind the database's name. */
const CLIENTS: Readonly<Record<string, { readonly options: readonly string[]; readonly operand?: number }>> =
  {
    psql: { options: ['-c', '--command'] },
    pgcli: { options: ['-c'] },
    ysqlsh: { options: ['-c', '--command'] },
    'cypher-shell': { options: [], operand: 0 },
    arangosh: { options: ['--javascript.execute-string'] },
    hbase: { options: [] },
    mysql: { options: ['-e', '--execute'] },
    mariadb: { options: ['-e', '--execute'] },
    mycli: { options: ['-e'] },
    sqlite3: { options: ['-cmd'], operand: 1 },
    sqlite: { options: [], operand: 1 },
    duckdb: { options: ['-c', '-s'], operand: 1 },
    sqlcmd: { options: ['-Q', '-q'] },
    cqlsh: { options: ['-e', '--execute'] },
    'clickhouse-client': { options: ['-q', '--query'] },
    clickhouse: { options: ['-q', '--query'] },
    snowsql: { options: ['-q', '--query'] },
    cockroach: { options: ['-e', '--execute'] },
    usql: { options: ['-c', '--command'] },
    trino: { options: ['--execute'] },
    presto: { options: ['--execute'] },
    hive: { options: ['-e'] },
    beeline: { options: ['-e'] },
    'spark-sql': { options: ['-e'] },
    bq: { options: [], operand: 1 },
    turso: { options: [], operand: 3 },
    wrangler: { options: ['--command'] },
    mongosh: { options: ['--eval'] },
    mongo: { options: ['--eval'] },
    'redis-cli': { options: [] },
    influx: { options: ['-execute', '--execute', '-q', '--query'] },
    snow: { options: ['-q', '--query'] },
    aws: { options: ['--sql', '--sql-statement', '--query-string'] },
    gcloud: { options: ['--sql'] },
  };

/** Texts in the language of a database that a command gives it. */
export function databaseEffects(command: SimpleCommand, words: Words): readonly Effect[] {
  const client = CLIENTS[words.name];
  if (client === undefined) return [...frameworkEffects(command, words), ...consoleEffects(command, words)];
  const { values, operands } = splitArguments(words.args, client.options);
  const given = client.options.flatMap((option) => values.get(option) ?? []).map(fieldText);
  const named = client.operand === undefined ? [] : operands.slice(client.operand).map(fieldText);
  const { output } = command.input;
  const fed = output.kind === 'text' ? [output.text] : [];
  const texts = [...given, ...named, ...fed];
  return texts.some((text) => dropsData(text) || dropsStore(text)) ? [destroys('database')(words)] : [];
}

const TOLD =
  /^\s*(?:update delete |flush_?all|flushdb|disable |shutdown |del |set (?:server|weight|maxconn) )/im;

/** `rails runner TEXT`, `artisan tinker`, `manage.py shell -c TEXT`: a text in the language of the framework. */
function consoleEffects({ argv, input }: SimpleCommand, words: Words): readonly Effect[] {
  if (!CONSOLES.test(`${words.name} ${words.verbs}`)) return [];
  const fed = input.output.kind === 'text' ? [input.output.text] : [];
  const texts = [...argv.slice(1).map(fieldText), ...fed];
  return texts.some(dropsRecords) ? [destroys('database')(words)] : [];
}

const CONSOLES =
  /^(?:rails|gitlab-rails|rake|bin\/rails) (?:runner|r|console|c)\b|^(?:php \S*)?artisan tinker|^(?:\S+ )?\S*manage\.py shell|^(?:flask|iex|mix|bundle|npx|poetry|uv|pipenv|heroku)\b.*\b(?:shell|runner|run|eval)\b|^(?:wp|drush) \S*eval/;

function frameworkEffects({ argv, input }: SimpleCommand, words: Words): readonly Effect[] {
  // What servers are told through a socket: memcached, haproxy, redis.
  const talks = /^(?:n(?:et)?c(?:at)?|ncat|socat|telnet|nsupdate)$/.test(words.name);
  if (talks && input.output.kind === 'text' && TOLD.test(input.output.text)) {
    return [destroys('database')(words)];
  }
  // What a program runs in its turn says so itself.
  if (argv.length < 2 || isText(argv) || programNamed(words.name)?.wraps !== undefined) return [];
  return FRAMEWORKS.test(words.verbs) ? [destroys('database')(words)] : [];
}

/** Programs whose operands are texts, not commands. */
function isText([name]: readonly Field[]): boolean {
  return /^(?:jest|vitest|mocha|pytest|ava|playwright|cypress|rspec|phpunit|echo|printf|grep|egrep|rg|ag|git|cat|sed|awk|ls|find|fd|jq|test|\[|man|which|type|touch|cp|mv|rm|mkdir|vim?|head|tail|less|code)$/.test(
    fieldText(name ?? { kind: 'exact', head: '', tail: '' }),
  );
}
