/**
 * `provider add`, `key` and `remove` of a terminal: the key goes to the vault, and never into a
 * command, a record or a line that is printed.
 */
import { PROVIDER_TABLE } from '../../../lib/core/llm/provider-table.ts';
import { providerAdd, providerList, providerRemove, providerTry } from '../../../lib/features/providers/operations.ts';
import { endChange } from '../../cli/change.ts';
import { performLook, putProviderKey } from '../../cli/client.ts';
import type { CommandContext } from '../../cli/command.ts';
import type { LocalParts } from '../../cli/operation-command.ts';
import { shellLines } from '../../cli/shell-lines.ts';
import { CliError, EXIT, type ExitCode, printable, showWords } from '../../cli/terminal.ts';
import { KEY_OPTIONS, readKey } from './read-key.ts';

const usage = (form: string): CliError => new CliError(EXIT.usage, `usage: npx passepartout provider ${form}`);

const change = async (
  context: CommandContext,
  operation: typeof providerAdd | typeof providerRemove | typeof providerTry,
  args: Readonly<Record<string, string>>,
): Promise<ExitCode> => {
  const { view, replies, isDone } = await endChange(context, operation, args);
  showWords(context.terminal, view, replies.map(shellLines));
  return isDone ? EXIT.ok : EXIT.failed;
};

/** An address that a provider of the table has needs no typing. */
const addressOf = (name: string, url: string | undefined): string => {
  const known = PROVIDER_TABLE.find((row) => row.name === name)?.baseUrl;
  if (url === undefined && known === undefined) throw usage(ADD);
  return url ?? known ?? '';
};

const ADD = 'add <name> <url> [model [large model]] [--no-key]';

const add = async (context: CommandContext, [name, url, ...models]: readonly string[]): Promise<ExitCode> => {
  if (name === undefined || models.length > 2) throw usage(ADD);
  const baseUrl = addressOf(name, url);
  const access = await context.access();
  const key = await readKey(context, printable(name));
  if (key !== '') await putProviderKey(access, { name, baseUrl, key });
  const given = models.length === 0 ? {} : { models: models.join(' ') };
  return change(context, providerAdd, { name, url: baseUrl, ...given });
};

const providersOf = async (context: CommandContext) =>
  (await performLook(await context.access(), providerList, {})).providers;

const setKey = async (context: CommandContext, [name, ...more]: readonly string[]): Promise<ExitCode> => {
  if (name === undefined || more.length > 0) throw usage('key <name>');
  const found = (await providersOf(context)).find((one) => one.name === name);
  const baseUrl = found?.address || PROVIDER_TABLE.find((row) => row.name === name)?.baseUrl;
  if (baseUrl === undefined)
    throw new CliError(EXIT.failed, `there is no provider ${printable(name)}`, 'npx passepartout provider names them');
  const key = await readKey(context, printable(name));
  if (key === '') throw new CliError(EXIT.usage, 'there is no key', 'paste the key alone');
  await putProviderKey(await context.access(), { name, baseUrl, key });
  return change(context, providerTry, { name });
};

const remove = async (context: CommandContext, [name, ...more]: readonly string[]): Promise<ExitCode> => {
  if (name === undefined || more.length > 0) throw usage('remove <name>');
  const found = (await providersOf(context)).find((one) => one.name === name && one.from === 'added');
  const code = found === undefined ? EXIT.ok : await change(context, providerRemove, { name });
  if (code !== EXIT.ok) return code;
  // An address that no key was given for: an empty key takes out whatever is there.
  await putProviderKey(await context.access(), { name, baseUrl: found?.address ?? 'https://removed.invalid', key: '' });
  context.terminal.remark(`the key of ${printable(name)} is erased from the vault`);
  return EXIT.ok;
};

export const providerParts: LocalParts = {
  add: { form: ADD.slice('add '.length), options: KEY_OPTIONS, run: add },
  key: { form: '<name>', summary: 'take another key of a provider, which is not shown, and try it', run: setKey },
  remove: { form: '<name>', run: remove },
};
