/** Puts live settings into a deployed stack, and says where secrets and the others go. */
import { LIVE_SETTINGS } from '../../../lib/core/ledger/live-settings.ts';
import { FUNCTION_NAMES, isSecretName, SETTING_NAMES, secretsOf } from '../../../lib/core/store/settings.ts';
import { configSet } from '../../../lib/core/verbs/settings/operations.ts';
import { type ChangeContext, endChange } from '../change.ts';
import { CHANNEL_STEPS } from '../features.ts';
import { CliError, EXIT, printable } from '../terminal.ts';
import type { Settings } from './env-file.ts';

export const STACK_STEPS: readonly string[] = [
  'model',
  'keys',
  ...CHANNEL_STEPS.map(({ name }) => name),
  'webhook',
  'sender',
  'budget',
  'zone',
];

const secretLines = (name: string, stack: string): readonly string[] =>
  FUNCTION_NAMES.filter((one) => secretsOf(one).some((secret) => secret === name)).map(
    (one) =>
      `aws secretsmanager put-secret-value --secret-id passepartout/${stack}/${one} --secret-string '{"${name}":"…"}'`,
  );

/** @returns lines for a person. @throws CliError if the stack does not take a live setting */
export const storeOnStack = async (
  context: ChangeContext,
  stack: string,
  settings: Settings,
): Promise<readonly string[]> => {
  const given = SETTING_NAMES.filter((name) => settings[name]);
  const lines: string[] = [];
  for (const name of given.filter((one) => LIVE_SETTINGS.includes(one))) {
    const { replies, isDone } = await endChange(context, configSet, { name, value: settings[name] ?? '' });
    if (!isDone) throw new CliError(EXIT.failed, printable(replies.join(' ')));
    lines.push(...replies);
  }
  const secrets = given.filter(isSecretName);
  if (secrets.length > 0)
    lines.push('Put these yourself; each command replaces the whole secret, so give all its values:');
  lines.push(...secrets.flatMap((name) => secretLines(name, stack)));
  const others = given.filter((name) => !LIVE_SETTINGS.includes(name) && !isSecretName(name));
  if (others.length > 0) lines.push(`Deploy again with these as variables: ${others.join(', ')}.`);
  return lines;
};
