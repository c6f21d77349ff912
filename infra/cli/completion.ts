/** Scripts of completion. Each also names the program without `npx`, which takes a second. */
import { join } from 'node:path';
import type { Command } from './command.ts';
import { CliError, EXIT } from './terminal.ts';

const PROGRAM = join(import.meta.dirname, 'passepartout.js');

/** The first words of a command's forms: `add` of `jobs add <name>`, `pair` of `pair | check`. */
const verbsOf = ({ name, verbs, usage }: Command): readonly string[] => {
  const forms = verbs?.map(([form]) => form.slice(name.length)) ?? usage.split('|');
  const words = forms.map((form) => form.trim().split(' ')[0] ?? '');
  return [...new Set(words)].filter((word) => /^[a-z][a-z-]*$/.test(word));
};

const forBash = (commands: readonly Command[]): readonly string[] => [
  `alias passepartout='${PROGRAM}'`,
  '_passepartout() {',
  `  local words= command=\${COMP_WORDS[1]}`,
  '  case $COMP_CWORD in',
  `    1) words='${commands.map(({ name }) => name).join(' ')}' ;;`,
  '    2) case $command in',
  ...commands
    .filter((command) => verbsOf(command).length > 0)
    .map((command) => `      ${command.name}) words='${verbsOf(command).join(' ')}' ;;`),
  '    esac ;;',
  '  esac',
  '  COMPREPLY=($(compgen -W "$words" -- "$2"))',
  '}',
  'complete -o default -F _passepartout passepartout',
];

const forZsh = (commands: readonly Command[]): readonly string[] => [
  'autoload -U +X compinit && compinit && autoload -U +X bashcompinit && bashcompinit',
  ...forBash(commands),
];

const forFish = (commands: readonly Command[]): readonly string[] => [
  `alias passepartout='${PROGRAM}'`,
  ...commands.flatMap((command) => [
    `complete -c passepartout -n __fish_use_subcommand -fa ${command.name} -d '${command.summary.replaceAll("'", '’')}'`,
    ...verbsOf(command).map(
      (verb) => `complete -c passepartout -n '__fish_seen_subcommand_from ${command.name}' -fa ${verb}`,
    ),
  ]),
];

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => readonly string[]>> = {
  bash: forBash,
  zsh: forZsh,
  fish: forFish,
};

/** @param all gives all commands, with this one */
export const buildCompletion = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  usage: 'bash|zsh|fish',
  summary: 'print a script that completes commands in your shell; append it to the file your shell starts with',
  argCount: [1, 1],
  run: async ({ args: [shell = ''], terminal }) => {
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (write === undefined) throw new CliError(EXIT.usage, 'the shells are bash, zsh and fish');
    for (const line of write(all())) terminal.line(line);
    return EXIT.ok;
  },
});
