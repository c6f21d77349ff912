/** The app's home tab: what waits for a yes, for an approver. A look, which decides nothing. */
import { shortIdOf } from '../../core/approvals/approval.ts';
import { type Language, USUAL_LANGUAGE } from '../../core/base/language.ts';
import { utcMinute } from '../../core/base/utc-minute.ts';
import { cardWords } from '../../core/judge/card.ts';
import { lookAtWaiting } from '../../core/judge/waiting-approvals.ts';
import type { SlackDeps } from './receive.ts';
import type { Block } from './rich-text.ts';

/** A screen of them; the last line says how many more there are. */
const SHOWN_MAX = 20;

const WORDS = {
  en: {
    unpaired: 'Not paired. On the machine of the agent: npx passepartout pair. Then write to it: !pair and the code.',
    nothing: 'Nothing waits for you.',
    waits: (count: number) =>
      count === 1 ? '1 action waits for a yes, on its card:' : `${count} actions wait for a yes, on their cards:`,
    line: (sentence: string, id: string, until: string) => `${sentence}\n${id}, until ${until}`,
  },
  de: {
    unpaired:
      'Nicht gekoppelt. Auf dem Rechner des Agenten: npx passepartout pair. Dann ihm schreiben: !pair und den Code.',
    nothing: 'Nichts wartet auf dich.',
    waits: (count: number) =>
      count === 1
        ? '1 Aktion wartet auf ein Ja, auf ihrer Karte:'
        : `${count} Aktionen warten auf ein Ja, auf ihren Karten:`,
    line: (sentence: string, id: string, until: string) => `${sentence}\n${id}, bis ${until}`,
  },
} as const;

const section = (text: string): Block => ({
  type: 'section',
  text: { type: 'plain_text', text: text.slice(0, 2_900), emoji: false },
});

export const loadHome = async (
  { table, config, now }: Pick<SlackDeps, 'table' | 'config' | 'now'>,
  isApprover: boolean,
  language: Language = USUAL_LANGUAGE,
): Promise<Block> => {
  const say = WORDS[language];
  if (!isApprover) return { type: 'home', blocks: [section(say.unpaired)] };
  const { approvals } = await lookAtWaiting(table, config.space, now);
  const { sentence } = await cardWords.in(language);
  const lines = approvals
    .slice(0, SHOWN_MAX)
    .map((one) => section(say.line(sentence(one.action), shortIdOf(one.id), utcMinute(one.expiresAtMs))));
  const head = approvals.length === 0 ? say.nothing : say.waits(approvals.length);
  return { type: 'home', blocks: [section(head), ...lines] };
};
