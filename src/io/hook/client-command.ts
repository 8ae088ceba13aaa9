import { NO_ANSWER } from '../../domain/agent.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { isInstalled } from '../programs/start/resolve-executable.ts';

/**
 * The client gives up, and denies, after so long: ralph itself answers in milliseconds or is not there. Qwen waits no
 * longer than 60 s for all hooks of a call, and then continues.
 */
const CLIENT_LIMIT_SECONDS = 20;

/**
 * Perl starts in 3 ms, node in 80. Neither text holds a single quote or a backslash, so that every shell reads it the
 * same. Arguments: socket, token. Standard input goes to the socket (`open-hook.ts` has the form); the first line of what
 * comes back is the exit code, the rest goes to standard output.
 */
const PERL = [
  'sub deny{exit 2}',
  '$SIG{PIPE}=$SIG{ALRM}=sub{deny()}',
  `alarm ${CLIENT_LIMIT_SECONDS}`,
  '($p,$t)=@ARGV',
  '$to=$^O eq "darwin"?pack("CCa*",2+length($p),1,$p):pack("Sa*",1,$p)',
  'undef $/',
  '$q=<STDIN>',
  'socket(S,1,1,0)&&connect(S,$to)||deny()',
  'select((select(S),$|=1)[0])',
  '(print S $t,chr(32),length($q),chr(10),$q)||deny()',
  '$a=<S>',
  '$i=index($a,chr(10))',
  '$i>0&&substr($a,0,$i)=~/^([0-9]+) ([0-9]+)$/||deny()',
  '($c,$l,$w)=($1,$2,substr($a,$i+1))',
  'length($w)==$l||deny()',
  'print $w',
  'exit $c',
].join(';');

const NODE = [
  'process.on("SIGUSR1",()=>{})',
  'const no=()=>process.exit(2)',
  `setTimeout(no,${CLIENT_LIMIT_SECONDS * 1000})`,
  'const [p,t]=process.argv.slice(1)',
  'let q=[],a=[]',
  'process.stdin.on("data",(d)=>q.push(d)).on("end",()=>{q=Buffer.concat(q)',
  'const s=require("net").connect(p).on("error",no).on("data",(d)=>a.push(d))',
  's.on("close",()=>{a=Buffer.concat(a)',
  'const i=a.indexOf(10),w=a.subarray(i+1)',
  'const m=/^([0-9]+) ([0-9]+)$/.exec(a.toString("latin1",0,Math.max(i,0)))',
  'if(!m||w.length!=m[2])no()',
  'process.stdout.write(w,()=>process.exit(Number(m[1])))})',
  's.write(t+" "+q.length+String.fromCharCode(10)),s.write(q)})',
].join(';');

/**
 * The command line by which a hook reaches the reviewer (`HookPlace.client`). It is given to the agent as text and no
 * file of it lies anywhere, so that there is nothing to change while the agent works. A client that is killed
 * ends the line with 2 like one that fails, and with words on standard error: some agents take only both for a denial.
 */
export function clientCommand(options: {
  readonly socket: string;
  readonly token: string;
  /** Path of the node that runs ralph. */
  readonly node: string;
  readonly cwd: string;
}): string {
  const program = isInstalled('perl', options.cwd) ? ['perl', '-e', PERL] : [options.node, '-e', NODE];
  const line = [...program, options.socket, options.token].map(shellQuote).join(' ');
  return `${line} || sh -c ${shellQuote(`echo "${NO_ANSWER}" >&2; exit 2`)} || exit 2`;
}
