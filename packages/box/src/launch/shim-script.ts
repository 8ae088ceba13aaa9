/**
 * Supervisor between ralph and an agent, in Perl without modules, which would cost more than everything else.
 *
 * A sub-reaper: processes that lose their parent become its children, whatever their session, group or environment;
 * it kills children until none is left.
 *
 * Argument: number of the `prctl` system call. File descriptor 3 is a socket to ralph:
 * - in: ten digits, then that many bytes, NUL-separated: file for descriptor 3 (empty unless the program is
 * bubblewrap), program, folder, files for standard input, output and errors, number of arguments, arguments,
 * environment entries. Later `T` (ask the tree to end) and `K` (kill it). End of file means that ralph is gone, like
 * `K`.
 * - out, one per line: `run PID` | `fail ERRNO` | `unsupported`; `exit WAIT-STATUS` when the main process has ended;
 * `end LEFT-BEHIND SURVIVORS` when the tree has.
 *
 * Notes:
 * - Signal handlers only set a flag: ending the supervisor would let the tree escape.
 * - Handlers are functions, since an ignored signal would stay ignored in the agent.
 * - bubblewrap is never asked to end: it would take everything in the box with it.
 * - Only the supervisor waits for its children, so their numbers can't be reused before.
 * - A tree that can't be killed (another user's, for example) is given up after some seconds and reported.
 */
export const SHIM_SCRIPT = String.raw`
$0 = 'ralph-supervisor';
my ($prctl) = @ARGV;
my ($asked, $kill) = (0, 0);
my ($stop, $box) = (0, 0);
$SIG{CHLD} = sub { };
$SIG{PIPE} = sub { };
$SIG{$_} = sub { $stop = 1 } for qw(INT TERM HUP);
my $ralph = getppid();
open(my $ctl, '+<&=', 3) or exit 70;
fcntl($ctl, 2, 1);

sub say_line { syswrite($ctl, "$_[0]\n") }
sub get {
  my ($n) = @_;
  my $b = '';
  while (length($b) < $n) {
    my $got = sysread($ctl, $b, $n - length($b), length($b));
    next if !defined $got && $! == 4;
    exit 71 if !$got;
  }
  return $b;
}

# Children of a process by the kernel's own list: nothing where the kernel has none, and in a race perhaps not all.
sub children {
  my ($parent) = @_;
  opendir(my $d, "/proc/$parent/task") or return ();
  my @found;
  for my $thread (grep { /^\d+$/ } readdir $d) {
    open(my $f, '<', "/proc/$parent/task/$thread/children") or next;
    my $line = <$f>;
    push @found, split(' ', $line) if defined $line;
  }
  return @found;
}
# All descendants by that list: a few files instead of the whole process table.
sub near_tree {
  my (@todo, @found) = ($$);
  while (@todo) {
    my @below = children(shift @todo);
    push @found, @below;
    push @todo, @below;
  }
  return \@found;
}
# Whether one of these is at work (running, or in the kernel), not asleep.
sub busy {
  for my $p (@_) {
    open(my $f, '<', "/proc/$p/stat") or next;
    local $/;
    my $line = <$f>;
    return 1 if defined $line && $line =~ /.*\) [RD]/s;
  }
  return 0;
}
# All descendants; in scalar terms: [those found], number of those that are more than a zombie.
sub tree {
  my (%below, %state);
  opendir(my $d, '/proc') or return ([], 0);
  for my $p (grep { /^\d+$/ } readdir $d) {
    open(my $f, '<', "/proc/$p/stat") or next;
    local $/;
    my $line = <$f>;
    next unless defined $line && $line =~ /.*\) (\S) (\d+)/s;
    $state{$p} = $1;
    push @{$below{$2}}, $p;
  }
  my @todo = ($$);
  my (@found, $living);
  $living = 0;
  while (@todo) {
    for my $p (@{$below{shift @todo} || []}) {
      push @found, $p;
      push @todo, $p;
      $living++ if $state{$p} !~ /[ZX]/;
    }
  }
  return (\@found, $living);
}
# A stopped process gets its SIGTERM only when it continues.
sub ask {
  my $found = shift || near_tree();
  ($found) = tree() if !@$found;
  my @asked = grep { $_ != $box } @$found;
  kill 'TERM', @asked;
  kill 'CONT', @asked;
  # A box that is still being made has no processes yet.
  $asked = 1 if @asked;
  return scalar @asked;
}

if (syscall($prctl + 0, 36, 1, 0, 0, 0) != 0) { say_line('unsupported'); exit 0; }
# When ralph dies, continue even if stopped: SIGCONT as the parent-death signal.
syscall($prctl + 0, 1, 18, 0, 0, 0);
my ($status_file, $path, $folder, $in, $out, $err, $argc, @rest) = split(/\0/, get(get(10) + 0), -1);
my @argv = splice(@rest, 0, $argc);
if (!(open(STDIN, '<', $in) && open(STDOUT, '>>', $out) && open(STDERR, '>>', $err) && chdir($folder))) {
  say_line('unsupported');
  exit 0;
}
pipe(my $er, my $ew) or exit 72;
my $main = fork();
if (!defined $main) { say_line('fail ' . ($! + 0)); exit 0; }
if (!$main) {
  setpgrp(0, 0);
  my $status_out;
  # The socket is descriptor 3, which is free then; up to there they stay open over exec.
  if ($status_file ne '') { close($ctl); $^F = 3; open($status_out, '>', $status_file); }
  %ENV = ();
  for (@rest) { $ENV{$1} = $2 if /^([^=]+)=(.*)$/s; }
  exec { $path } @argv;
  syswrite($ew, $! + 0);
  kill 'KILL', $$;
}
close($ew);
my $errno = '';
while (1) {
  my $got = sysread($er, $errno, 16, length($errno));
  last if defined $got ? !$got : $! != 4;
}
if ($errno ne '') { say_line("fail $errno"); exit 0; }
$box = $main if $status_file ne '';
say_line("run $main");

my ($status, $left, $round, $quiet, $gone) = (undef, 0, 0, 0, 0);
while (1) {
  my ($p, $news) = (0, '');
  while (($p = waitpid(-1, 1)) > 0) {
    if ($p == $main && !defined $status) { $status = $?; $news = "exit $status"; }
  }
  if ($p < 0) { say_line($news eq '' ? "end $left 0" : "$news\nend $left 0"); exit 0; }
  say_line($news) if $news ne '';
  if (defined $status && !$asked && !$kill && $quiet) {
    # Who is about to end unasked (the last of a pipe, with its output still to write) gets some milliseconds.
    # At least one is left, even if it changes its number faster than one can look.
    my $found = near_tree();
    if ($quiet >= 10 || !busy(@$found)) { $left = ask($found) || 1; }
  }
  if ($stop && !$asked) { ask(); }
  if ($kill) {
    $round++;
    if ($round > 8000) {
      say_line('exit 9') if !defined $status;
      my ($found, $living) = tree();
      say_line("end $left $living");
      exit 0;
    }
    my @now = children($$);
    @now = @{(tree())[0]} if !@now || $round % 20 == 0;
    kill 'KILL', @now;
  }
  my $wait = $kill ? 0.0005 : !defined $status ? 0.05 : 0.001;
  my $bits = '';
  vec($bits, 3, 1) = 1 unless $gone;
  my $heard = select($bits, undef, undef, $wait);
  # Neither a signal nor a word came for a millisecond.
  $quiet++ if $heard == 0 && defined $status;
  if ($heard > 0) {
    my $got = sysread($ctl, my $command, 64);
    if (defined $got) {
      if ($got == 0) { $gone = 1; $kill = 1; }
      elsif ($command =~ /K/) { $kill = 1; }
      else { $stop = 1; }
    }
  }
  $kill = 1 if getppid() != $ralph;
}
`;
