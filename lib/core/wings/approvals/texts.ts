/** The answers about approvals and grants in English, the typed source. Pure. */
import type { FlightStage } from '../../approvals/approval.ts';
import { textTable } from '../../base/language.ts';
import { SPARED } from '../../judge/approval-notices.ts';
import { GRANT_WORDS } from '../../judge/card.ts';
import { ago } from '../../language/machine-texts.ts';

export interface Rates {
  readonly aTask: number | undefined;
  readonly aDay: number;
  readonly aHundredCalls: number | undefined;
}

type Counts = Readonly<Record<'asked' | 'yes' | 'quick', number>>;

export const EN = {
  none: 'Nothing waits for an approval.',
  waiting: 'These wait for a yes:',
  unread: (n: number) => `${n} more cannot be read by this release: decide with the release that asked.`,
  cards: (mayLookAlike: boolean) =>
    `The card of each has its words${mayLookAlike ? '; /approve alone lists those of this chat with theirs' : ''}.`,
  textTo: 'a text to',
  /** A tool without its arguments. */
  tool: (tool: string) => tool.replaceAll('-', ' '),
  onMachine: (runner: string) => ` on ${runner}`,
  destroys: ' (destroys)',
  elsewhere: (short: string, hasCard: boolean) =>
    `decide it ${hasCard ? 'in the chat that has its card, or ' : ''}in a terminal: npx passepartout approve ${short}`,
  asked: (name: string, msAgo: number, session: string) => `${name}, asked ${ago(msAgo)} in ${session}`,
  stage: (stage: FlightStage): string => stage.toLowerCase(),
  noGrant: 'There is no grant. A job that you approved as a whole says so: /jobs show <name>',
  otherGrants: (count: number) => `${count} of other conversations: ask in a private chat.`,
  noApproval: 'there is no such approval; /approvals lists them',
  rulesChanged: 'the rules have changed since it was asked for',
  noSuchGrant: 'there is no such grant; /grants lists them',
  grant: GRANT_WORDS,
  notAsked: 'Nothing was asked in the last 7 days.',
  /** @param rates undefined where there was nothing to be asked about */
  figures: (asked: number, days: number, { aTask, aDay, aHundredCalls }: Rates) =>
    `${asked} ${asked === 1 ? 'question' : 'questions'} in ${days} ${days === 1 ? 'day' : 'days'}: ${[
      `${aDay} a day`,
      ...(aTask === undefined ? [] : [`${aTask} a task`]),
      ...(aHundredCalls === undefined ? [] : [`${aHundredCalls} a hundred calls`]),
    ].join(', ')}.`,
  yeses: (yes: number, quick: number) => `A yes to ${yes} of them, to ${quick} within three seconds.`,
  row: (tool: string, decider: string | undefined, { asked, yes, quick }: Counts) =>
    `${tool}, ${decider ?? 'nobody answered'}: ${asked} asked, ${yes} yes, ${quick} within three seconds`,
  spared: SPARED,
};
export type ApprovalTexts = typeof EN;

export const approvalTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
