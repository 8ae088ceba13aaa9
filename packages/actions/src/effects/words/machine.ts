import {
  destroys,
  lastingRights,
  opensShell,
  schedules,
  skipsHooks,
  system,
  type WordRule,
} from './call-words.ts';

/** Paths of git hooks in a work tree, in a command line. */
const HOOK_FILES =
  /(?:^|[\s/])(?:\.husky(?:\/(?!_)[\w.-]*)?|\.githooks(?:\/[\w.-]*)?|\.?lefthook\.ya?ml|\.pre-commit-config\.ya?ml)\/?(?=\s|$)/;

export const MACHINE: readonly WordRule[] = [
  { programs: 'shutdown poweroff halt reboot', unless: /--help|(?:^|\s)-c(?:\s|$)/, does: system },
  { programs: 'init telinit', verbs: /^[0-6sS]$/, does: system },
  {
    programs: 'systemctl',
    verbs:
      /^(?:stop|disable|mask|kill|isolate|reboot|poweroff|halt|rescue|emergency|suspend|hibernate|set-default|revert)\b/,
    does: system,
  },
  { programs: 'systemctl', verbs: /^(?:enable|link|edit)\b/, does: schedules },
  { programs: 'service rc-service', verbs: /^\S+ (?:stop|disable)\b/, does: system },
  { programs: 'launchctl', verbs: /^(?:load|bootstrap|enable|submit|start)\b/, does: schedules },
  { programs: 'launchctl', verbs: /^(?:unload|bootout|disable|remove|kill|stop|reboot)\b/, does: system },
  {
    programs: 'iptables ip6tables',
    line: /(?:^|\s)-(?:[FXPDAIZRN]|-flush|-policy|-delete|-append|-insert)/,
    does: system,
  },
  {
    programs: 'ufw firewall-cmd pfctl',
    unless: /^(?:status|show|--state|--list|-s|--version|--get)/,
    does: system,
  },
  { programs: 'ip', verbs: /^\w+ (?:set|del|delete|flush|add|replace|change)\b/, does: system },
  {
    programs: 'setenforce auditctl csrutil spctl nvram bless grub-install update-grub efibootmgr',
    line: /./,
    unless: /^(?:status|-l|-p|list|-v|--status)$/,
    does: system,
  },
  { programs: 'sysctl', line: /(?:^|\s)(?:-w|-p|--write|--load|--system)(?:\s|$)|^[\w.]+=/, does: system },
  { programs: 'modprobe insmod rmmod kextload kextunload', verbs: /./, does: system },
  {
    programs: 'umount mount swapoff swapon',
    line: /\s/,
    unless: /^-[lV]|^(?:\S+ )*--(?:show|version)/,
    does: system,
  },
  { programs: 'umount swapoff', line: /./, does: system },
  { programs: 'userdel groupdel deluser delgroup chpasswd gpasswd groupmod', line: /(?:)/, does: system },
  { programs: 'useradd adduser usermod passwd visudo vipw vigr chsh', line: /(?:)/, does: lastingRights },
  { programs: 'hostnamectl timedatectl localectl', verbs: /^(?:set-|hostname \S)/, does: system },
  {
    programs:
      'apt apt-get aptitude dnf yum microdnf zypper apk snap flatpak pkg port emerge xbps-remove eopkg',
    verbs: /^(?:remove|purge|autoremove|autopurge|erase|rm|del|delete|uninstall|deinstall|unmerge)\b/,
    unless: /(?:^|\s)(?:-s|--dry-run|--assumeno)(?:\s|$)/,
    does: system,
  },
  { programs: 'dpkg', line: /(?:^|\s)(?:-r|-P|--remove|--purge|--force-\S+)(?:\s|$)/, does: system },
  { programs: 'rpm', line: /(?:^|\s)(?:-e\w*|--erase|--nodeps)(?:\s|$)/, does: system },
  { programs: 'pacman yay paru', line: /(?:^|\s)(?:-R\w*|--remove)(?:\s|$)/, does: system },
  {
    programs: 'brew',
    line: /^(?:uninstall|remove|rm)\b.*--(?:force|zap|ignore-dependencies)\b/,
    does: system,
  },
  {
    programs: 'pre-commit husky lefthook overcommit',
    line: /^(?:uninstall|--uninstall)\b/,
    does: skipsHooks,
  },
  {
    programs: 'chmod',
    line: /(?:^|\s)(?:[ugoa]*-\w*x|0?[0-6][0-6][0-6])\s.*(?:\.husky|\.githooks)\//,
    does: skipsHooks,
  },
  { programs: 'rm rmdir unlink mv trash', line: HOOK_FILES, does: skipsHooks },
  { programs: 'crontab', line: /./, unless: /^(?:-u \S+ )?-l(?: -u \S+)?$|^-V$/, does: schedules },
  { programs: 'at', line: /./, unless: /^-[lcV]/, does: schedules },
  { programs: 'at batch', verbs: /^$/, unless: /^-[lcV]/, does: schedules },
  { programs: 'atrm', line: /./, does: schedules },
  // The command runs at once, and systemd-run waits for it.
  {
    programs: 'systemd-run',
    line: /./,
    unless: /(?:^|\s)--(?:scope|wait|pty|pipe)(?:\s|$)/,
    does: schedules,
  },
  {
    programs: 'fdisk sfdisk gdisk cfdisk sgdisk',
    verbs: /\/dev\//,
    unless: /^(?:-l|--list|-p|--print|-d|--dump|-x)\b/,
    does: destroys('disk'),
  },
  { programs: 'parted', verbs: /\/dev\/\S+ (?!print)/, does: destroys('disk') },
  { programs: 'mkswap newfs newfs_apfs newfs_hfs', verbs: /\/dev\//, does: destroys('disk') },
  {
    programs: 'cryptsetup',
    verbs: /^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|format)/,
    does: destroys('disk'),
  },
  {
    programs: 'zpool',
    verbs: /^(?:destroy|labelclear|remove|offline|detach|split|create)/,
    does: destroys('disk'),
  },
  { programs: 'zfs', verbs: /^(?:destroy|rollback)/, does: destroys('disk') },
  { programs: 'vgremove lvremove pvremove lvreduce vgreduce', verbs: /./, does: destroys('disk') },
  { programs: 'mdadm', line: /--(?:zero-superblock|stop|fail|remove|create)\b/, does: destroys('disk') },
  {
    programs: 'hdparm',
    line: /--(?:security-erase|make-bad-sector|trim-sector|write-sector)/,
    does: destroys('disk'),
  },
  {
    programs: 'diskutil',
    verbs: /^(?:erase|partition|zero|secureErase|reformat|apfs delete|random)/i,
    does: destroys('disk'),
  },
  {
    programs: 'btrfs',
    verbs: /^(?:subvolume|device|filesystem) (?:delete|remove|resize)/,
    does: destroys('disk'),
  },
  { programs: 'badblocks', line: /(?:^|\s)-\w*w/, does: destroys('disk') },
  { programs: 'nvme', verbs: /^(?:format|sanitize|delete-ns|reset|write)/, does: destroys('disk') },
  { programs: 'nc ncat netcat', line: /(?:^|\s)(?:-\w*[ec]\b|--(?:sh-)?exec|--lua-exec)/, does: opensShell },
  { programs: 'socat', line: /\b(?:exec|system|shell):/i, does: opensShell },
  { programs: 'ssh autossh', line: /(?:^|\s)-\w*[RD](?:\s|\d)/, does: opensShell },
  { programs: 'ztcp', verbs: /\S/, does: opensShell },
  { programs: 'ngrok', verbs: /^(?:tcp|tls|start)\b/, does: opensShell },
  {
    programs: 'cloudflared',
    verbs: /^tunnel(?: run)?(?=\s|$)/,
    line: /\btunnel (?:run\b|.*--url\b)/,
    does: opensShell,
  },
  { programs: 'tailscale', verbs: /^funnel\b/, does: opensShell },
  { programs: 'lt localtunnel', line: /--port\b|\s-p/, does: opensShell },
];
