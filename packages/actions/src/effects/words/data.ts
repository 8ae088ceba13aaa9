import { type Field, fieldText, type SimpleCommand } from '../../shell/index.ts';
import { programNamed } from '../catalogue/index.ts';
import type { Effect } from '../effect.ts';
import { dropsData, dropsStore } from '../sql.ts';
import { destroys, type WordRule, type Words } from './call-words.ts';

const FRAMEWORKS =
  /(?:^|\s)(?:(?:db|pg|schema|database|ecto|doctrine:\w+|mongoid)[:.](?:\w+[:.])?(?:drop|reset|purge|wipe|truncate\w*|clean)(?!-)(?!\S*[:_.-]test\b)\S*|(?:db:)?(?:migrate|seed)\S*:undo:all|db:seed:replant|migrate:(?:fresh|reset|refresh)|migrate (?:fresh|reset|refresh|drop)|migrate \S+ zero|database (?:drop|reset|update 0)|db downgrade base|schema clean|sql-drop|reset_db|drop-all|drop_all)(?=\s|$)/;

export const DATABASES: readonly WordRule[] = [
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

const CLIENTS =
  /^(?:psql|pgcli|ysqlsh|mysql|mariadb|mycli|sqlite3?|duckdb|sqlcmd|cqlsh|clickhouse(?:-client)?|snowsql|cockroach|usql|trino|presto|hive|beeline|spark-sql|bq|turso|wrangler|mongo(?:sh)?|redis-cli|influx|cypher-shell|arangosh|hbase)$/;

export function databaseEffects(command: SimpleCommand, words: Words): readonly Effect[] {
  if (!CLIENTS.test(words.name)) return frameworkEffects(command, words);
  const given = words.args.map((arg) => fieldText(arg).replace(/^--?[\w.-]+=|^-[a-zA-Z](?=\S+\s)/, ''));
  const { output } = command.input;
  const texts = output.kind === 'text' ? [...given, output.text] : given;
  return texts.some((text) => dropsData(text) || dropsStore(text)) ? [destroys('database')(words)] : [];
}

const SERVER_COMMANDS =
  /^\s*(?:update delete |flush_?all|flushdb|disable |shutdown |del |set (?:server|weight|maxconn) )/im;

function frameworkEffects({ argv, input }: SimpleCommand, words: Words): readonly Effect[] {
  // Servers such as memcached, haproxy and redis take commands through a socket.
  const talks = /^(?:n(?:et)?c(?:at)?|ncat|socat|telnet|nsupdate)$/.test(words.name);
  if (talks && input.output.kind === 'text' && SERVER_COMMANDS.test(input.output.text)) {
    return [destroys('database')(words)];
  }
  // A wrapped program is judged as a command of its own.
  if (argv.length < 2 || isText(argv) || programNamed(words.name)?.wraps !== undefined) return [];
  return FRAMEWORKS.test(words.verbs) ? [destroys('database')(words)] : [];
}

function isText([name]: readonly Field[]): boolean {
  return /^(?:jest|vitest|mocha|pytest|ava|playwright|cypress|rspec|phpunit|echo|printf|grep|egrep|rg|ag|git|cat|sed|awk|ls|find|fd|jq|test|\[|man|which|type|touch|cp|mv|rm|mkdir|vim?|head|tail|less|code)$/.test(
    fieldText(name ?? { kind: 'exact', head: '', tail: '' }),
  );
}
