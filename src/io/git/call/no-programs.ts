/** Programs that settings can make git start, where we never need one: none of our calls talks to a remote. */
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
