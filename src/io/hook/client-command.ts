import { NO_ANSWER } from 'ralph-agents/hook';
import { isInstalled } from 'ralph-kit/programs/start/resolve-executable';
import { shellQuote } from 'ralph-kit/shell-quote';

/** The client then denies: ralph answers in milliseconds. After 60 s per call, Qwen continues without its hooks. */
const CLIENT_LIMIT_SECONDS = 20;

/**
 * Perl starts in 3 ms, Node in 80 ms. Neither script has a single quote or backslash, so every shell reads it alike.
 * Arguments: socket, token. Standard input goes to the socket (see `open-hook.ts`); the first line of the answer has
 * the exit code, the rest is printed.
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
 * Returns the hook's command line (`HookPlace.client`). It is passed as text, so that there is no file to change
 * while the agent runs. A killed client also exits with 2 and prints an error: some agents need both for a denial.
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
