/**
 * The answers to the verbs of settings. Chats and servers are changed by a tool, which Act
 * performs; a name or a model is a setting that Perceive writes. The latest wins, and a repeated
 * message changes nothing more.
 */

import { NotFoundError, ProtocolError } from '../../base/errors.ts';
import { USUAL_LANGUAGE } from '../../base/language.ts';
import { utcMinute } from '../../base/utc-minute.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { inLanguage } from '../../judge/notices.ts';
import { changeOwnerSetting } from '../../ledger/change-owner-setting.ts';
import { LIVE_SETTINGS, liveField } from '../../ledger/live-settings.ts';
import {
  chatField,
  chatNameField,
  type IdentityField,
  languageField,
  languageOf,
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
import { say as answer, type CodeAnswer, type CodeContext } from '../../operations/code-context.ts';
import { findMissing } from '../../operations/feature-views.ts';
import { change, type Handler, look } from '../../operations/operation.ts';
import { isSamePlace, normaliseName, placeOf } from '../../signal/action.ts';
import { ChatId, chatOf, chatRoute, isGroup, MAIN_CONSOLE, RIGHT_SETTINGS } from '../../signal/channels.ts';
import { absent, anyOf, below, type Condition } from '../../store/condition.ts';
import { latestDataWrite } from '../../store/data-version.ts';
import { sessionKey } from '../../store/keys.ts';
import { SETTINGS } from '../../store/settings.ts';
import { updateIf } from '../../store/update-if.ts';
import { PLACES_MAX, placesNamed } from '../../tools/send-message.ts';
import { findTextTakers } from '../../tools/webhooks.ts';
import { chatIdOf } from './chat-id-of.ts';
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
  modelSet,
  modelShow,
  send,
} from './operations.ts';
import { type SettingTexts, settingTexts } from './texts.ts';

const whoSet = (settings: OwnerSettings, field: string): string => {
  const set = Object.hasOwn(settings.fields, field) ? settings.fields[field] : undefined;
  return set === undefined ? '' : ` (${set.by}, ${utcMinute(set.at)})`;
};

const identityLines = (settings: OwnerSettings, assistant: string, say: SettingTexts): readonly string[] => {
  const usual: Readonly<Record<IdentityField, string>> = { name: assistant, owner: say.noOwner, style: say.usualStyle };
  return (['name', 'owner', 'style'] as const).map((field) => {
    const is = settingOf(settings, `identity.${field}`) || usual[field];
    return `${say.identity(field)}: ${is}${whoSet(settings, `identity.${field}`)}`;
  });
};

const setIdentity = async (
  { table, signal, assistant, language }: CodeContext,
  field: IdentityField,
  text: string,
): Promise<CodeAnswer> => {
  const settings = await changeOwnerSetting(table, signal, `identity.${field}`, text);
  return answer(commandNotices.identity(identityLines(settings, assistant, await settingTexts.in(language))));
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

const askForRight = (name: string, value: string): CodeAnswer => ({
  call: { tool: 'change-setting', args: { name, value: value.replace(/\s/g, '') } },
});

/** @throws NotFoundError unless features know all that the setting names */
const checkMandatory = async (
  { table, signal: { space } }: CodeContext,
  value: string,
  say: SettingTexts,
): Promise<void> => {
  const { FEATURE_VIEWS } = await import('../signals/lazy.ts');
  const wanted = SETTINGS.MANDATORY_SKILLS.schema.parse(value);
  const [missing] = await findMissing(FEATURE_VIEWS, 'MANDATORY_SKILLS', table, space, wanted);
  if (missing !== undefined) throw new NotFoundError(say.skillMissing(missing.name, missing.why));
};

/** The id of a chat, or a webhook that takes a text, as the settings name it. */
const placeWordOf = async (context: CodeContext, name: string, webhooks: TextTakers): Promise<string> => {
  const settings = await loadOwnerSettings(context.table, context.signal.space);
  const [place, ...others] = placesOf(settings, webhooks).get(name) ?? [];
  if (place?.target !== 'webhook' || others.length > 0) return chatIdOf(context, name);
  if (!place.takesText) throw new ProtocolError((await settingTexts.in(context.language)).takesNoText(name));
  return placeWord(place);
};

export const SETTING_HANDLERS: readonly Handler[] = [
  look(identityShow, async ({ table, space, assistant, language }) => {
    const settings = await loadOwnerSettings(table, space);
    const [name, owner, style] = (['name', 'owner', 'style'] as const).map((field) =>
      settingOf(settings, `identity.${field}`),
    );
    return {
      data: { name: name || assistant, owner: owner ?? '', style: style ?? '' },
      lines: identityLines(settings, assistant, await settingTexts.in(language)),
    };
  }),
  change(identityName, (context, { text }) => nameIdentity(context, 'name', text)),
  change(identityOwner, (context, { text }) => nameIdentity(context, 'owner', text)),
  change(identityStyle, (context, { text }) => nameIdentity(context, 'style', text)),
  change(identityReset, (context, { field }) => setIdentity(context, field, '')),
  look(modelShow, async ({ table, space, session, providerNames, language }) => {
    const model = (await loadHead(table, { space, session }))?.model ?? 'auto';
    const providers = shownProviders(providerNames);
    return {
      data: { model, providers: [...providers] },
      lines: [(await inLanguage(commandNotices.model(model, false, providers.join(', ')), language)).text],
    };
  }),
  // Stored on the conversation's head, so that it needs no extra read.
  change(modelSet, async ({ table, signal, providerNames, language }, { model }) => {
    const say = await settingTexts.in(language);
    const { space, session, sender, receivedAt: at } = signal;
    const providers = shownProviders(providerNames);
    const parsed = parseModelChoice(model);
    if (parsed === undefined) throw new ProtocolError(say.modelForm);
    const choice = parsed.kind === 'model' ? modelName(parsed.provider, parsed.model) : model;
    const isConfigured = providers.some((one) => parsed.kind !== 'model' || one.split('/')[0] === parsed.provider);
    if (parsed.kind === 'model' && providers.length > 0 && !isConfigured)
      throw new ProtocolError(say.noProvider(parsed.provider, providers.join(', ')));
    const isLater: Condition = { name: 'no later model is set', holds: anyOf(absent('modelAt'), below('modelAt', at)) };
    const set = { schemaVersion: 1, model: choice, modelBy: sender.id, modelAt: at };
    await updateIf(table, sessionKey(space, session), { set, setOnce: { startedAt: at } }, isLater);
    return answer(commandNotices.model(choice, true, providers.join(', ')));
  }),
  look(configList, async ({ table, space, configured, language }) => {
    const say = await settingTexts.in(language);
    const stored = await loadOwnerSettings(table, space);
    const shown = LIVE_SETTINGS.map((name) => showSetting(name, stored, configured));
    return {
      data: { settings: shown, version: stored.round },
      lines: [...shown.map((one) => settingLine(one, say)), say.version(stored.round), say.keysStay],
    };
  }),
  look(configGet, async ({ table, space, configured, language }, { name }) => {
    const say = await settingTexts.in(language);
    const shown = showSetting(liveSetting(name, say), await loadOwnerSettings(table, space), configured);
    return { data: { settings: [shown] }, lines: [settingLine(shown, say)] };
  }),
  change(configSet, async (context, { name: typed, value: words }) => {
    const { table, signal, configured } = context;
    const say = await settingTexts.in(context.language);
    const [name, value] = [liveSetting(typed, say), words.trim()];
    const stands =
      name === 'PROVIDERS'
        ? configured
        : withProviders({ ...configured }, await loadOwnerSettings(table, signal.space));
    checkSetting(name, value, stands ?? {}, say);
    if (RIGHT_SETTINGS.includes(name)) return askForRight(name, value);
    if (name === 'MANDATORY_SKILLS') await checkMandatory(context, value, say);
    const { round } = await changeOwnerSetting(table, signal, liveField(name), value);
    return answer(commandNotices.settingSet(name, value, round));
  }),
  change(configReset, async ({ table, signal, configured, language }, { name: typed }) => {
    const say = await settingTexts.in(language);
    const name = liveSetting(typed, say);
    if (RIGHT_SETTINGS.includes(name)) return askForRight(name, '');
    const stored = await changeOwnerSetting(table, signal, liveField(name), '');
    return answer(commandNotices.settingReset(settingLine(showSetting(name, stored, configured), say)));
  }),
  change(chatsList, () => ({ call: { tool: 'list-chats', args: {} } })),
  change(chatsName, async (context, { chat, name }) => {
    const { table, signal } = context;
    const say = await settingTexts.in(context.language);
    const webhooks = findTextTakers(context);
    if (placesOf(undefined, webhooks).has(name)) throw new ProtocolError(say.nameTaken(name));
    const given = chat.split(',').map((one) => placeWordOf(context, normaliseName(one), webhooks));
    const ids = [...new Set(await Promise.all(given))];
    if (ids.length > PLACES_MAX) throw new ProtocolError(say.mostChats(PLACES_MAX));
    if (ids.length === 1 && !ChatId.safeParse(ids[0]).success) throw new ProtocolError(say.webhookNamed);
    const earlier = ids.length === 1 ? nameOf(await loadOwnerSettings(table, signal.space), ids.join()) : undefined;
    await changeOwnerSetting(table, signal, chatNameField(name), ids.join(','));
    if (earlier !== undefined && earlier !== name) await changeOwnerSetting(table, signal, chatNameField(earlier), '');
    return answer(commandNotices.chatCalled(ids, name));
  }),
  change(chatsUnname, async ({ table, signal, language }, { name }) => {
    if (!placesOf(await loadOwnerSettings(table, signal.space)).has(name))
      throw new NotFoundError((await settingTexts.in(language)).notNamed(name));
    await changeOwnerSetting(table, signal, chatNameField(name), '');
    return answer(commandNotices.chatNotCalled(name));
  }),
  change(send, async ({ table, signal, language }, args) => {
    const named = placesNamed(args.to, placesOf(await loadOwnerSettings(table, signal.space)));
    if (named.some((place) => place.target !== 'webhook' && isSamePlace(placeOf(signal.reply), place)))
      throw new ProtocolError((await settingTexts.in(language)).sameConversation);
    return { call: { tool: 'send-message', args } };
  }),
  change(chatsMute, async (context, { chat, hours }) => {
    const { table, publishPerceive, signal, zone, now } = context;
    const id = await chatIdOf(context, chat);
    await changeOwnerSetting(table, signal, chatField('mute', id), hours === 'off' ? '' : hours);
    if (hours === 'off') {
      const { releaseKept } = await import('./release-kept.ts');
      await releaseKept({ table, publishPerceive, signal, now }, id);
    }
    return answer(commandNotices.chatMuted(chat, hours, zone));
  }),
  change(chatsListen, async (context, { state, chat }) => {
    const { table, signal, language } = context;
    const { reply } = signal;
    const say = await settingTexts.in(language);
    const id = chat === undefined ? chatOf(reply) : await chatIdOf(context, chat);
    if (!isGroup(chat === undefined ? reply : chatRoute(id))) throw new ProtocolError(say.onlyGroups);
    await changeOwnerSetting(table, signal, chatField('listen', id), state === 'all' ? 'all' : '');
    return answer(commandNotices.chatHears(chat ?? say.thisGroup, state));
  }),
  look(languageShow, async ({ table, space, language: readers, asker }) => {
    // A person who asks over HTTP may read another language than the one of the console.
    const language = asker === undefined ? languageOf(await loadOwnerSettings(table, space), MAIN_CONSOLE) : readers;
    return { data: { language }, lines: [commandNotices.languageSet(language).text] };
  }),
  change(languageSet, async ({ table, signal }, { language }) => {
    const isOther = language !== USUAL_LANGUAGE;
    const more = isOther ? [latestDataWrite(signal.space)] : [];
    await changeOwnerSetting(table, signal, languageField(signal.reply), language, more);
    return answer(commandNotices.languageSet(language));
  }),
  look(chatsNames, async ({ table, space, language }) => {
    const named = [...placesOf(await loadOwnerSettings(table, space))].filter(([name]) => name !== MAIN_CONSOLE.target);
    const places = named.map(([name, those]) => ({
      name,
      chats: those.map((one) => (one.target === 'webhook' ? one.to : chatOf(one))).join(','),
    }));
    const none = (await settingTexts.in(language)).noNames;
    return { data: { places }, lines: places.length === 0 ? [none] : places.map((one) => `${one.name}: ${one.chats}`) };
  }),
  change(chatsRemove, async (context, { chat }) => ({
    call: { tool: 'remove-chat', args: { chat: await chatIdOf(context, chat) } },
  })),
];
