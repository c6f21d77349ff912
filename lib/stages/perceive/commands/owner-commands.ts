/**
 * Commands that show and change settings: `/identity`, `/model`, and `/memory open`,
 * `ask`, `close`, `chats`. Only an approver changes a setting (I14). The latest wins, and a
 * repeated message changes nothing more.
 */

import { commandNotices } from '../../../judge/command-notices.ts';
import {
  changeOwnerSetting,
  type IdentityField,
  isIdentityField,
  loadOwnerSettings,
  type OwnerSettings,
  parseIdentityText,
  settingOf,
} from '../../../ledger/owner-settings.ts';
import { parseHead } from '../../../ledger/session.ts';
import { MODEL_CHOICE_USAGE, modelName, parseModelChoice } from '../../../llm/choose-model.ts';
import { type Command, say } from '../../../operations/code-context.ts';
import { absent, anyOf, below, type Condition } from '../../../store/condition.ts';
import { sessionKey } from '../../../store/keys.ts';
import { loadItem } from '../../../store/load-named.ts';
import { updateIf } from '../../../store/update-if.ts';
import { shownTime } from '../../memory-lines.ts';

const IDENTITY_USAGE = '/identity, /identity name|owner|style <text>, /identity reset name|owner|style';

/** The first word, and the rest. */
const splitWord = (text: string): readonly [string, string] => {
  const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word.toLowerCase(), rest.trim()];
};

const IDENTITY_WORDS: Readonly<Record<IdentityField, { readonly is: string; readonly usual?: string }>> = {
  name: { is: 'My name' },
  owner: { is: 'My owner', usual: 'as configured (MEMEX_USER)' },
  style: { is: 'How I speak', usual: 'the usual: briefly, in the language I am spoken to' },
};

const whoSet = (settings: OwnerSettings, field: string): string => {
  const set = Object.hasOwn(settings.fields, field) ? settings.fields[field] : undefined;
  return set === undefined ? '' : ` (${set.by}, ${shownTime(set.at)} UTC)`;
};

const identityLines = (settings: OwnerSettings, assistant: string): readonly string[] =>
  Object.entries(IDENTITY_WORDS).map(
    ([field, { is, usual = assistant }]) =>
      `${is}: ${settingOf(settings, `identity.${field}`) || usual}${whoSet(settings, `identity.${field}`)}`,
  );

export const identity: Command = async ({ table, signal, assistant }, rest) => {
  const [verb, words] = splitWord(rest);
  if (verb === '')
    return say(commandNotices.identity(identityLines(await loadOwnerSettings(table, signal.space), assistant)));
  const isReset = verb === 'reset';
  const field = isReset ? words.toLowerCase() : verb;
  if (!isIdentityField(field)) return say(commandNotices.usage(IDENTITY_USAGE));
  const parsed = isReset ? { text: '' } : parseIdentityText(field, words);
  if (typeof parsed === 'string')
    return say(words === '' ? commandNotices.usage(IDENTITY_USAGE) : commandNotices.notSet(parsed));
  return say(
    commandNotices.identity(
      identityLines(await changeOwnerSetting(table, signal, `identity.${field}`, parsed.text), assistant),
    ),
  );
};

/** Stored on the conversation's head, so that it needs no extra read. */
export const model: Command = async ({ table, signal, providerNames = [] }, rest) => {
  const { space, session, sender, receivedAt: at } = signal;
  const key = sessionKey(space, session);
  const providers = providerNames.map((name) => name.replace(':', '/')).join(', ');
  if (rest === '') {
    const head = await loadItem(table, key);
    const current = head === undefined ? undefined : parseHead(session, head).model;
    return say(commandNotices.model(current ?? 'auto', false, providers));
  }
  const parsed = parseModelChoice(rest);
  if (parsed === undefined) return say(commandNotices.usage(MODEL_CHOICE_USAGE));
  const choice = parsed.kind === 'model' ? modelName(parsed.provider, parsed.model) : rest;
  const isConfigured = (name: string): boolean => providerNames.some((one) => one.split(/[:/]/)[0] === name);
  if (parsed.kind === 'model' && providers !== '' && !isConfigured(parsed.provider))
    return say(commandNotices.notSet(`the provider ${parsed.provider} is not configured; these are: ${providers}`));
  const isLater: Condition = { name: 'no later model is set', holds: anyOf(absent('modelAt'), below('modelAt', at)) };
  const set = { schemaVersion: 1, model: choice, modelBy: sender.id, modelAt: at };
  await updateIf(table, key, { set, setOnce: { startedAt: at } }, isLater);
  return say(commandNotices.model(choice, true, providers));
};
