# An agent that does not want to end. perl adversary.pl KIND MODE TOKEN READY-FILE
# MODE stay: the main process stays; leave: it ends with 0 once its descendants are in place.
# Whatever escapes ends unasked after a minute: a hopper for ever would fill the machine's process table.
# Every process of it carries TOKEN in its command line, whatever it does to its environment.
use strict;
use POSIX ();
my ($kind, $mode, $token, $ready) = @ARGV;
my $end = time + 60;

sub placed {    # writes the file that tells: all is in place
  open(my $f, '>', "$ready.new") or die;
  close($f);
  rename("$ready.new", $ready) or die;
}
sub stay { while (time < $end) { select(undef, undef, undef, 60) } POSIX::_exit(0) }
sub stay_as_program {    # with an environment of its own; tells by the ready file
  my ($clear) = @_;
  my $self = "open(my \$f, '>', \$ARGV[1]) or die; close(\$f); select(undef, undef, undef, 60);";
  %ENV = () if $clear;
  exec('/usr/bin/perl', '-e', $self, $token, "$ready.child") or die;
}
sub quiet { open($_, '+<', '/dev/null') for *STDIN, *STDOUT, *STDERR }
sub daemon {    # runs the code in a grandchild without a parent, in a session of its own
  my ($code) = @_;
  my $pid = fork();
  if ($pid) { waitpid($pid, 0); return; }
  POSIX::setsid();
  POSIX::_exit(0) if fork();
  $code->();
  POSIX::_exit(0);
}
sub child { my ($code) = @_; my $pid = fork(); return if $pid; $code->(); POSIX::_exit(0); }
sub hop {    # a new process and session every 3 ms
  my $hops = 0;
  while (time < $end) {
    my $pid = fork();
    POSIX::_exit(0) if $pid || !defined $pid;
    POSIX::setsid();
    child_ready() if ++$hops == 5;
    select(undef, undef, undef, 0.003);
  }
  POSIX::_exit(0);
}
sub child_ready { open(my $f, '>', "$ready.child") or die; close($f) }
sub deaf { $SIG{$_} = 'IGNORE' for qw(TERM INT HUP) }

my %kinds = (
  'plain' => sub { child(sub { stay_as_program(0) }) },
  'ignore-term' => sub { deaf(); child(sub { deaf(); child_ready(); stay() }) },
  'setsid' => sub { child(sub { POSIX::setsid(); quiet(); stay_as_program(0) }) },
  'daemon' => sub { daemon(sub { quiet(); deaf(); child_ready(); stay() }) },
  'leak-setsid' => sub { child(sub { POSIX::setsid(); stay_as_program(0) }) },
  'leak-group' => sub { child(sub { deaf(); child_ready(); stay() }) },
  'clear-env' => sub { child(sub { POSIX::setsid(); quiet(); stay_as_program(1) }) },
  'daemon-clear-env' => sub { daemon(sub { quiet(); stay_as_program(1) }) },
  'hopper' => sub { daemon(sub { quiet(); hop() }) },
  'hopper-exec' => sub {
    daemon(sub {
      quiet();
      my $self = 'use POSIX (); my $f; open($f, ">", $ARGV[1]) if $ARGV[2] == 5; close($f) if $f;'
        . 'select(undef, undef, undef, 0.003); my $pid = fork();'
        . 'POSIX::_exit(0) if $pid || !defined $pid || time > $ARGV[4]; POSIX::setsid();'
        . '%ENV = (); exec("/usr/bin/perl", "-e", $ARGV[3], $ARGV[0], $ARGV[1], $ARGV[2] + 1, $ARGV[3], $ARGV[4]);';
      exec('/usr/bin/perl', '-e', $self, $token, "$ready.child", 0, $self, $end);
    });
  },
  'stop-supervisor' => sub { child(sub { stay_as_program(0) }); kill 'STOP', getppid() },
  'self-stop' => sub { child(sub { child_ready(); kill 'STOP', $$; stay() }) },
);
($kinds{$kind} or die "unknown kind $kind")->();
select(undef, undef, undef, 0.002) until -e "$ready.child";
placed();
exit(0) if $mode eq 'leave';
kill 'STOP', $$ if $kind eq 'self-stop';
stay();
