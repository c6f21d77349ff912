/** The buttons below a text: decisions, choices, a second try. `parse-tap.ts` reads them. Pure. */
import { shortIdOf } from '../../core/approvals/approval.ts';
import {
  cardAlone,
  choiceWords,
  listData,
  listedOn,
  QUESTION_CARD,
  similarChoices,
  similarData,
  TASK_CARD,
} from '../../core/approvals/similar.ts';
import { type Language, spokenLanguage, USUAL_LANGUAGE } from '../../core/base/language.ts';
import type { Action } from '../../core/signal/action.ts';
import type { ActuatorContext } from '../../core/signal/actuator.ts';
import { isOwnerSpeaking } from '../../core/signal/asker.ts';
import { NOT_READ } from '../../core/signal/attachment.ts';
import { chatOf, chatSession } from '../../core/signal/channels.ts';
import { CHOSEN, CODE_QUESTIONS, digestSourceOf, doubtedBy, MAY_BE_LOST } from '../../core/signal/ids.ts';
import { choicesIn } from '../../core/text/choices.ts';

/** The input of a delivery beside the action. */
export type DeliveryInput = Pick<ActuatorContext, 'signalId' | 'session' | 'sentIds'> &
  Partial<Pick<ActuatorContext, 'effectId' | 'endsWork' | 'language' | 'lines' | 'askedBy'>> & {
    /** Address of the console's page; without it no card has a link. */
    readonly page?: string;
    /** Whether the signal began with something that a person did in this channel. */
    readonly isAsked: (signalId: string) => boolean;
  };

/** A tap sends its data to the door; a link opens. */
export type ChatButton =
  | { readonly text: string; readonly data: string }
  | { readonly text: string; readonly url: string };
/** From above to below, each from left to right; none without buttons. */
export type ButtonRows = readonly (readonly ChatButton[])[];

/** The words of our own buttons; no choice of the model may be one (`text/choices.ts`). */
const BUTTONS = {
  en: {
    ...{ yes: 'Yes', no: 'No', approve: 'Approve', deny: 'Deny', similar: 'Allow similar…', back: 'Back' },
    ...{ approveAll: 'Approve all', denyAll: 'Deny all' },
    ...{ page: 'Open on the page', sendAgain: 'Send it again', tryAgain: 'Try again', show: 'Show', why: 'Why?' },
  },
  de: {
    ...{
      yes: 'Ja',
      no: 'Nein',
      approve: 'Freigeben',
      deny: 'Ablehnen',
      similar: 'Ähnliches erlauben …',
      back: 'Zurück',
    },
    ...{ approveAll: 'Alle freigeben', denyAll: 'Alle ablehnen' },
    ...{
      page: 'Auf der Seite öffnen',
      sendAgain: 'Noch einmal senden',
      tryAgain: 'Noch einmal versuchen',
      show: 'Zeigen',
      why: 'Warum?',
    },
  },
} as const;

export const languageNamed = (name = ''): Language => spokenLanguage(name) ?? USUAL_LANGUAGE;

/** The link names the approval by its first characters: they select it, and permit nothing. */
const pageButton = (approvalId: string, page: string, text: string) => ({
  text,
  url: new URL(`#/approvals/${shortIdOf(approvalId)}`, page).href,
});

/** The buttons of a card. The ingress reads the same letters. */
const cardRows = (
  approvalId: string,
  { template: shown = '', language }: Action,
  page: string | undefined,
): ButtonRows => {
  const say = BUTTONS[languageNamed(language)];
  const { template, isFromList } = cardAlone(shown);
  const [yes, no] = template === QUESTION_CARD ? [say.yes, say.no] : [say.approve, say.deny];
  return [
    [
      { text: yes, data: `a:${approvalId}` },
      { text: no, data: `d:${approvalId}` },
    ],
    ...(template === 'approval-card' ? [[{ text: say.similar, data: `g:${approvalId}` }]] : []),
    ...(isFromList ? [[{ text: say.back, data: `b:${approvalId}` }]] : []),
    ...(page === undefined ? [] : [[pageButton(approvalId, page, say.page)]]),
  ];
};

/** All at once, or one of them by its number. @param of the first call of the list */
const listRows = (of: string, count: number, hash: number, language: Language): ButtonRows => {
  const say = BUTTONS[language];
  return [
    [
      { text: say.approveAll, data: listData(of, 'all', hash) },
      { text: say.denyAll, data: listData(of, 'none', hash) },
    ],
    Array.from({ length: count }, (_, n) => ({ text: `${n + 1} …`, data: listData(of, n, hash) })),
  ];
};

/** The choices that the text shows, in the same order, and the way back. */
const similarRows = (approvalId: string, at: number, { template }: Action, language: Language): ButtonRows => [
  ...similarChoices(at, template === TASK_CARD).map((choice, n) => [
    { text: choiceWords(choice, language), data: similarData(approvalId, n, at) },
  ]),
  [{ text: BUTTONS[language].back, data: `b:${approvalId}` }],
];

/** Bytes of one button's data. */
const BUTTON_BYTES_MAX = 64;

/** The button under a notice that something may be done again, by the notice's template. */
const AGAIN_WORDS: ReadonlyMap<string, 'sendAgain' | 'tryAgain'> = new Map([
  [MAY_BE_LOST, 'sendAgain'],
  [NOT_READ, 'tryAgain'],
]);

/** None if the notice's id is too long, or too deep to name its text. */
const againRows = (text: string, signalId: string): ButtonRows => {
  const data = `r:${signalId}`;
  const isNamed = doubtedBy(signalId) !== undefined && data.length <= BUTTON_BYTES_MAX;
  return isNamed ? [[{ text, data }]] : [];
};

/** Only whoever the turn answers is asked, in their own chat. */
const isReply = (action: Action, { signalId, session, effectId = '', isAsked }: DeliveryInput): boolean =>
  isAsked(signalId) && session === chatSession(chatOf(action), action.topic) && effectId.endsWith('#0');

type TapButton = Extract<ChatButton, { data: string }>;

/** One below the other; a long id leaves the text alone. */
const rowsOf = (buttons: readonly TapButton[]): ButtonRows =>
  buttons.every(({ data }) => data.length <= BUTTON_BYTES_MAX) ? buttons.map((button) => [button]) : [];

const choiceButtons = ({ text = '' }: Action, { signalId }: DeliveryInput): readonly TapButton[] =>
  choicesIn(text).map((choice, n) => ({ text: choice, data: `c:${n}:${signalId}` }));

/**
 * Shows the line of figures to whoever may see it, in a chat that has chosen nothing else. Only an
 * answer after work has it: under each one, a card that wants a yes would no longer stand out.
 * Below choices it would look like one of them.
 */
const whyButton = ({ signalId, endsWork, lines, language, askedBy = 'member' }: DeliveryInput): readonly TapButton[] =>
  endsWork === true && lines === '' && isOwnerSpeaking(askedBy)
    ? [{ text: BUTTONS[language ?? USUAL_LANGUAGE].why, data: `w:${signalId}` }]
    : [];

/** Types `/news` for whoever taps it. */
const newsRows = (source: string, language: Language): ButtonRows => [
  [{ text: BUTTONS[language].show, data: `n:${source}` }],
];

export const buttonsOf = (action: Action, told: DeliveryInput): ButtonRows => {
  const { signalId } = told;
  const language = languageNamed(action.language);
  if (action.author === 'model') {
    if (!isReply(action, told)) return [];
    const choices = rowsOf(choiceButtons(action, told));
    return choices.length > 0 ? choices : rowsOf(whyButton(told));
  }
  const source = digestSourceOf(signalId);
  if (source !== undefined) return newsRows(source, language);
  if (CODE_QUESTIONS.includes(action.template ?? '')) return rowsOf(choiceButtons(action, told));
  if (action.template === CHOSEN) return [[{ text: action.text ?? '', data: CHOSEN }]];
  const listed = listedOn(action.template);
  if (listed !== undefined) return listRows(action.card ?? '', listed, action.similarAt ?? 0, language);
  if (action.card !== undefined && action.similarAt !== undefined)
    return similarRows(action.card, action.similarAt, action, language);
  if (action.card !== undefined) return cardRows(action.card, action, told.page);
  const again = AGAIN_WORDS.get(action.template ?? '');
  return again !== undefined && action.edits === undefined ? againRows(BUTTONS[language][again], signalId) : [];
};
