/** Programs that settings could make git start. ralph's own calls need none: they never talk to a remote. */
export const NO_PROGRAMS = [
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.editor=:',
  'sequence.editor=:',
  'core.sshCommand=false',
  'core.askPass=',
  'core.gitProxy=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'protocol.allow=never',
];
