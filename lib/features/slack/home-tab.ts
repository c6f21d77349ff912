/** The app's home tab: what waits for a yes, for an approver. A look, which decides nothing. */
import { shortIdOf } from '../../core/approvals/approval.ts';
import { type Language, USUAL_LANGUAGE } from '../../core/base/language.ts';
import { utcMinute } from '../../core/base/utc-minute.ts';
import { cardWords } from '../../core/judge/card.ts';
import { lookAtWaiting } from '../../core/judge/waiting-approvals.ts';
import type { SlackDeps } from './receive.ts';
import type { Block } from './rich-text.ts';
import { SLACK_TEXTS } from './texts.ts';

/** A screen of them; the last line says how many more there are. */
const SHOWN_MAX = 20;

const section = (text: string): Block => ({
  type: 'section',
  text: { type: 'plain_text', text: text.slice(0, 2_900), emoji: false },
});

export const loadHome = async (
  { table, config, now }: Pick<SlackDeps, 'table' | 'config' | 'now'>,
  isApprover: boolean,
  language: Language = USUAL_LANGUAGE,
): Promise<Block> => {
  const say = SLACK_TEXTS[language];
  if (!isApprover) return { type: 'home', blocks: [section(say.unpaired)] };
  const { approvals } = await lookAtWaiting(table, config.space, now);
  const { sentence } = await cardWords.in(language);
  const lines = approvals
    .slice(0, SHOWN_MAX)
    .map((one) => section(say.waitsUntil(sentence(one.action), shortIdOf(one.id), utcMinute(one.expiresAtMs))));
  const head = approvals.length === 0 ? say.nothing : say.waits(approvals.length);
  return { type: 'home', blocks: [section(head), ...lines] };
};
