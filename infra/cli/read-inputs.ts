import type { CommandContext } from './command.ts';
import { CliError, EXIT } from './terminal.ts';

/** `--input service=shop`. @throws CliError (exit 2) */
export const readInputs = ({ texts }: CommandContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    texts('input').map((given) => {
      const [, name, value = ''] = /^(\w+)=([\s\S]*)$/.exec(given) ?? [];
      if (name === undefined) throw new CliError(EXIT.usage, '--input needs a name and a value, such as service=shop');
      return [name, value] as const;
    }),
  );
