/**
 * The answers to the verbs of settings. Chats and servers are changed by a tool, which Act
 * performs; a name or a model is a setting that Perceive writes. The latest wins, and a repeated
 * message changes nothing more.
 */

import { defined } from '../../base/defined.ts';
import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { USUAL_LANGUAGE } from '../../base/language.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { LIVE_SETTINGS, liveField } from '../../ledger/live-settings.ts';
import {
  chatField,
  chatNameField,
  type IdentityField,
  languageField,
  loadOwnerSettings,
  nameOf,
  type OwnerSettings,
  parseIdentityText,
  placesOf,
  placeWord,
  settingOf,
  type TextTakers,
} from '../../ledger/owner-settings.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { modelName, parseModelChoice } from '../../llm/choose-model.ts';
import { type CodeAnswer, type CodeContext, say } from '../../operations/code-context.ts';
import { change, type Handler, look } from '../../operations/operation.ts';
import { isSamePlace, normaliseName, placeOf } from '../../signal/action.ts';
import { ChatId, chatRoute, isGroup, MAIN_CONSOLE, sendsMessages } from '../../signal/channels.ts';
import { missingSkills } from '../../skills/register.ts';
import { isSkillOn } from '../../skills/skill-settings.ts';
import { loadActiveSkills } from '../../skills/skill-store.ts';
import { absent, anyOf, below, type Condition } from '../../store/condition.ts';
import { latestDataWrite } from '../../store/data-version.ts';
import { mcpKey, sessionKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { SETTINGS, TELEGRAM_RIGHTS } from '../../store/settings.ts';
import { updateIf } from '../../store/update-if.ts';
import { readMcpCatalogue } from '../../tools/mcp/catalogue.ts';
import { PLACES_MAX, placesNamed } from '../../tools/send-message.ts';
import { findTextTakers } from '../../tools/webhooks.ts';
import { shownTime } from '../notes/memory-lines.ts';
import { checkSetting, liveSetting, settingLine, showSetting, withProviders } from './config.ts';
import {
  chatsList,
  chatsListen,
  chatsMute,
  chatsName,
  chatsNames,
  chatsRemove,
  chatsUnname,
  configGet,
  configList,
  configReset,
  configSet,
  identityName,
  identityOwner,
  identityReset,
  identityShow,
  identityStyle,
  languageSet,
  languageShow,
  mcpAccept,
  mcpAdd,
  mcpList,
  mcpRemove,
  modelSet,
  modelShow,
  send,
  voice,
} from './operations.ts';

const IDENTITY_WORDS: Readonly<Record<IdentityField, { readonly is: string; readonly usual?: string }>> = {
  name: { is: 'My name' },
  owner: { is: 'My owner', usual: 'as the setting MEMEX_USER says, if any' },
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

const setIdentity = async (
  { table, signal, assistant }: CodeContext,
  field: IdentityField,
  text: string,
): Promise<CodeAnswer> => {
  const settings = await changeOwnerSetting(table, signal, `identity.${field}`, text);
  return say(commandNotices.identity(identityLines(settings, assistant)));
};

/** @throws ProtocolError for words that may not stand in a prompt */
const nameIdentity = (context: CodeContext, field: IdentityField, words: string): Promise<CodeAnswer> => {
  const parsed = parseIdentityText(field, words);
  if (typeof parsed === 'string') throw new ProtocolError(parsed);
  return setIdentity(context, field, parsed.text);
};

/** `one:model-a` is shown as it is chosen: `one/model-a`. */
const shownProviders = (names: readonly string[] = []): readonly string[] =>
  names.map((name) => name.replace(':', '/'));

const isTelegramRight = (name: string): boolean => TELEGRAM_RIGHTS.some((right) => right === name);
const askForRight = (name: string, value: string): CodeAnswer => ({
  call: { tool: 'change-setting', args: { name, value: value.replace(/\s/g, '') } },
});

/** @throws NotFoundError unless all these skills take part */
const checkMandatory = async (table: CodeContext['table'], space: string, value: string): Promise<void> => {
  const [settings, { skills }] = await Promise.all([loadOwnerSettings(table, space), loadActiveSkills(table, space)]);
  const wanted = SETTINGS.MANDATORY_SKILLS.schema.parse(value);
  const [missing] = missingSkills(wanted, skills, (name) => isSkillOn(name, settings));
  if (missing !== undefined) throw new NotFoundError(`the skill ${missing.name} is missing (${missing.why})`);
};

/** @throws NotFoundError if no chat has the name */
const chatIdOf = async (table: CodeContext['table'], space: string, chat: string): Promise<string> => {
  if (ChatId.safeParse(chat).success) return chat;
  const [place, ...others] = placesOf(await loadOwnerSettings(table, space)).get(chat) ?? [];
  if (place === undefined || !sendsMessages(place.target))
    throw new NotFoundError(`no chat is named ${chat}; /chats lists them`);
  if (others.length > 0) throw new ProtocolError(`${chat} is the name of several chats; name one of them`);
  return place.to;
};

/** The id of a chat, or a webhook that takes a text, as the settings name it. */
const placeWordOf = async (
  table: CodeContext['table'],
  space: string,
  name: string,
  webhooks: TextTakers,
): Promise<string> => {
  const [place, ...others] = placesOf(await loadOwnerSettings(table, space), webhooks).get(name) ?? [];
  if (place?.target !== 'webhook' || others.length > 0) return chatIdOf(table, space, name);
  if (!place.takesText)
    throw new ProtocolError(`the fields of the webhook ${name} have no place for a text; call-webhook sends them`);
  return placeWord(place);
};

export const SETTING_HANDLERS: readonly Handler[] = [
  look(identityShow, async ({ table, space, assistant }) => {
    const settings = await loadOwnerSettings(table, space);
    const [name, owner, style] = (['name', 'owner', 'style'] as const).map((field) =>
      settingOf(settings, `identity.${field}`),
    );
    return {
      data: { name: name || assistant, owner: owner ?? '', style: style ?? '' },
      lines: identityLines(settings, assistant),
    };
  }),
  change(identityName, (context, { text }) => nameIdentity(context, 'name', text)),
  change(identityOwner, (context, { text }) => nameIdentity(context, 'owner', text)),
  change(identityStyle, (context, { text }) => nameIdentity(context, 'style', text)),
  change(identityReset, (context, { field }) => setIdentity(context, field, '')),
  look(modelShow, async ({ table, space, session, providerNames }) => {
    const model = (await loadHead(table, { space, session }))?.model ?? 'auto';
    const providers = shownProviders(providerNames);
    return {
      data: { model, providers: [...providers] },
      lines: [commandNotices.model(model, false, providers.join(', ')).text],
    };
  }),
  // Stored on the conversation's head, so that it needs no extra read.
  change(modelSet, async ({ table, signal, providerNames }, { model }) => {
    const { space, session, sender, receivedAt: at } = signal;
    const providers = shownProviders(providerNames);
    const parsed = parseModelChoice(model);
    if (parsed === undefined) throw new ProtocolError('it must be auto, cognition, reasoning or <provider>/<model>');
    const choice = parsed.kind === 'model' ? modelName(parsed.provider, parsed.model) : model;
    const isConfigured = providers.some((one) => parsed.kind !== 'model' || one.split('/')[0] === parsed.provider);
    if (parsed.kind === 'model' && providers.length > 0 && !isConfigured)
      throw new ProtocolError(`the provider ${parsed.provider} is not configured; these are: ${providers.join(', ')}`);
    const isLater: Condition = { name: 'no later model is set', holds: anyOf(absent('modelAt'), below('modelAt', at)) };
    const set = { schemaVersion: 1, model: choice, modelBy: sender.id, modelAt: at };
    await updateIf(table, sessionKey(space, session), { set, setOnce: { startedAt: at } }, isLater);
    return say(commandNotices.model(choice, true, providers.join(', ')));
  }),
  look(configList, async ({ table, space, configured }) => {
    const stored = await loadOwnerSettings(table, space);
    const shown = LIVE_SETTINGS.map((name) => showSetting(name, stored, configured));
    return {
      data: { settings: shown, version: stored.round },
      lines: [
        ...shown.map(settingLine),
        `Version ${stored.round}. To change one: /config set <name> <value>. All others: .env, then a start.`,
        'Keys stay in the environment: PROVIDER_CASCADE switches on any provider that has its key there, and PROVIDERS one without a key.',
      ],
    };
  }),
  look(configGet, async ({ table, space, configured }, { name }) => {
    const shown = showSetting(liveSetting(name), await loadOwnerSettings(table, space), configured);
    return { data: { settings: [shown] }, lines: [settingLine(shown)] };
  }),
  change(configSet, async ({ table, signal, configured }, { name: typed, value: words }) => {
    const [name, value] = [liveSetting(typed), words.trim()];
    const stands =
      name === 'PROVIDERS'
        ? configured
        : withProviders({ ...configured }, await loadOwnerSettings(table, signal.space));
    checkSetting(name, value, stands);
    if (isTelegramRight(name)) return askForRight(name, value);
    if (name === 'MANDATORY_SKILLS') await checkMandatory(table, signal.space, value);
    const { round } = await changeOwnerSetting(table, signal, liveField(name), value);
    return say(commandNotices.settingSet(name, value, round));
  }),
  change(configReset, async ({ table, signal, configured }, { name: typed }) => {
    const name = liveSetting(typed);
    if (isTelegramRight(name)) return askForRight(name, '');
    const stored = await changeOwnerSetting(table, signal, liveField(name), '');
    return say(commandNotices.settingReset(settingLine(showSetting(name, stored, configured))));
  }),
  change(chatsList, () => ({ call: { tool: 'list-chats', args: {} } })),
  change(chatsName, async (context, { chat, name }) => {
    const { table, signal } = context;
    const webhooks = findTextTakers(context);
    if (placesOf(undefined, webhooks).has(name)) throw new ProtocolError(`${name} is the name of another place`);
    const given = chat.split(',').map((one) => placeWordOf(table, signal.space, normaliseName(one), webhooks));
    const ids = [...new Set(await Promise.all(given))];
    if (ids.length > PLACES_MAX) throw new ProtocolError(`a name is of at most ${PLACES_MAX} chats`);
    if (ids.length === 1 && !ChatId.safeParse(ids[0]).success)
      throw new ProtocolError('a webhook has its name already; it may be one of several: mum,team');
    const earlier = ids.length === 1 ? nameOf(await loadOwnerSettings(table, signal.space), ids.join()) : undefined;
    await changeOwnerSetting(table, signal, chatNameField(name), ids.join(','));
    if (earlier !== undefined && earlier !== name) await changeOwnerSetting(table, signal, chatNameField(earlier), '');
    return say(commandNotices.chatCalled(ids, name));
  }),
  change(chatsUnname, async ({ table, signal }, { name }) => {
    if (!placesOf(await loadOwnerSettings(table, signal.space)).has(name))
      throw new NotFoundError(`no chat is named ${name}; /chats lists them`);
    await changeOwnerSetting(table, signal, chatNameField(name), '');
    return say(commandNotices.chatNotCalled(name));
  }),
  change(send, async ({ table, signal }, args) => {
    const named = placesNamed(args.to, placesOf(await loadOwnerSettings(table, signal.space)));
    if (named.some((place) => place.target !== 'webhook' && isSamePlace(placeOf(signal.reply), place)))
      throw new ProtocolError('that is this very conversation; name another place');
    return { call: { tool: 'send-message', args } };
  }),
  change(chatsMute, async ({ table, publishPerceive, signal, zone, now }, { chat, hours }) => {
    const id = await chatIdOf(table, signal.space, chat);
    await changeOwnerSetting(table, signal, chatField('mute', id), hours === 'off' ? '' : hours);
    if (hours === 'off') {
      const { releaseKept } = await import('./release-kept.ts');
      await releaseKept({ table, publishPerceive, signal, now }, id);
    }
    return say(commandNotices.chatMuted(chat, hours, zone));
  }),
  change(chatsListen, async ({ table, signal }, { state, chat }) => {
    const { space, reply } = signal;
    const id = chat === undefined ? reply.to : await chatIdOf(table, space, chat);
    if (!isGroup(chat === undefined ? reply : chatRoute(id)))
      throw new ProtocolError('only a group has this: in a private chat I answer each message. Name a group behind it');
    await changeOwnerSetting(table, signal, chatField('listen', id), state === 'all' ? 'all' : '');
    return say(commandNotices.chatHears(chat ?? 'this group', state));
  }),
  change(voice, async ({ table, signal, configured }, { state, chat }) => {
    const { space, reply } = signal;
    if (chat === undefined && !sendsMessages(reply.target))
      throw new ProtocolError('only chats have voice notes; name the chat behind on or off');
    if (state === 'on' && !configured?.SPEECH_MODEL)
      throw new ProtocolError('no model that speaks is set; SPEECH_MODEL, such as gpt-4o-mini-tts, names one');
    const id = chat === undefined ? reply.to : await chatIdOf(table, space, chat);
    await changeOwnerSetting(table, signal, chatField('voice', id), state === 'on' ? 'on' : '');
    return say(commandNotices.voiceSet(chat ?? 'this chat', state));
  }),
  look(languageShow, ({ language }) =>
    Promise.resolve({ data: { language }, lines: [commandNotices.languageSet(language).text] }),
  ),
  change(languageSet, async ({ table, signal }, { language }) => {
    const isOther = language !== USUAL_LANGUAGE;
    const more = isOther ? [latestDataWrite(signal.space)] : [];
    await changeOwnerSetting(table, signal, languageField(signal.reply), language, more);
    return say(commandNotices.languageSet(language));
  }),
  look(chatsNames, async ({ table, space }) => {
    const named = [...placesOf(await loadOwnerSettings(table, space))].filter(([name]) => name !== MAIN_CONSOLE.target);
    const places = named.map(([name, those]) => ({ name, chats: those.map(({ to }) => to).join(',') }));
    const none = 'No chat has a name. To name one: /chats name <chat> <name>';
    return { data: { places }, lines: places.length === 0 ? [none] : places.map((one) => `${one.name}: ${one.chats}`) };
  }),
  change(chatsRemove, async ({ table, signal }, { chat }) => ({
    call: { tool: 'remove-chat', args: { chat: await chatIdOf(table, signal.space, chat) } },
  })),
  change(mcpList, () => ({ call: { tool: 'list-mcp-servers', args: {} } })),
  change(mcpAdd, (_, args) => ({ call: { tool: 'add-mcp-server', args } })),
  change(mcpAccept, (_, { facts, ...args }) => ({
    call: { tool: 'accept-mcp-server', args: { ...args, ...defined({ facts }) } },
  })),
  // Nobody is asked for a yes to remove nothing.
  change(mcpRemove, async ({ table, signal }, args) => {
    const { servers } = readMcpCatalogue(await loadItem(table, mcpKey(signal.space)));
    if (!servers.some(({ name }) => name === args.server))
      throw new NotFoundError(`there is no MCP server ${args.server}; /mcp list names them`);
    return { call: { tool: 'remove-mcp-server', args } };
  }),
];
