export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Completion scripts for shells. They evaluate none of the typed words. ralph answers with `files` or `words`, then
 * value, tab and description on each line.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of ralph. In ~/.bashrc: source <(ralph completion bash)
_ralph() {
  local line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  [[ \${COMP_WORDS[COMP_CWORD]} == = ]] && words+=("")
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      files) compopt -o default 2>/dev/null ;;
      words) ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(command ralph complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _ralph ralph
`,
  zsh: `#compdef ralph
# zsh completion of ralph. In ~/.zshrc, behind compinit: source <(ralph completion zsh)
_ralph() {
  local line kind=words
  local -a found
  while IFS= read -r line; do
    case $line in
      files|words) kind=$line ;;
      *) found+=("\${line/$'\\t'/:}") ;;
    esac
  done < <(command ralph complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe ralph found
  [[ $kind == files ]] && _files
}
if [[ $zsh_eval_context == *func ]]; then _ralph "$@"; else compdef _ralph ralph; fi
`,
  fish: `# fish completion of ralph: ralph completion fish > ~/.config/fish/completions/ralph.fish
function __ralph_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (command ralph complete -- $words[2..-1] "$current" 2>/dev/null)
  printf '%s\\n' $found[2..-1]
  if test "$found[1]" = files
    __fish_complete_path "$current"
  end
end
complete -c ralph -f -a '(__ralph_complete)'
`,
};
