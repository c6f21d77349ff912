/** `help`: every command, option and exit code, built from the table of commands. */
import type { Command } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { GLOBAL_OPTIONS } from '../global-options.ts';

const optionLines = (options: NonNullable<Command['options']>, indent: string): readonly string[] =>
  Object.entries(options).map(([name, option]) => {
    const flag = `--${name}${option.value === undefined ? '' : ` <${option.value}>`}`;
    return `${indent}${flag.padEnd(36 - indent.length)}${option.help}`;
  });

const commandLines = (command: Command): readonly string[] => {
  const call = `${command.name}${command.usage === '' ? '' : ` ${command.usage}`}`;
  const head =
    call.length > 32
      ? [`  ${call}`, `${' '.repeat(36)}${command.summary}`]
      : [`  ${call.padEnd(34)}${command.summary}`];
  return [...head, ...optionLines(command.options ?? {}, '      ')];
};

/** Pure. @param only help about these commands. */
export const helpLines = (only: readonly Command[]): readonly string[] => [
  'usage: passepartout <command> [options]',
  '',
  ...only.flatMap(commandLines),
  '',
  'Everywhere:',
  ...optionLines(GLOBAL_OPTIONS, '  '),
  '',
  'Exit codes: 0 done · 1 failed, refused, not reached, or not ended in time · 2 wrong usage or configuration',
  '3 verify: a part is missing, or no key or anchor authenticates it.',
  '',
  'The local stack is found through DATA_DIR (default .passepartout); APPROVER_TOKEN wins over',
  'the tokens kept there. Text that starts with "-" goes after "--".',
];

/** @param loadAll loads the whole table, which this command is itself part of. */
export const buildHelp = (loadAll: () => Promise<readonly Command[]>): Command => ({
  name: 'help',
  usage: '[command]',
  summary: 'this text',
  argCount: [0, 1],
  run: async ({ args, terminal }) => {
    const commands = await loadAll();
    const about = commands.filter((command) => args[0] === undefined || command.name === args[0]);
    for (const line of helpLines(about.length > 0 ? about : commands)) terminal.line(line);
    return EXIT.ok;
  },
});
