/** Tools that fail again and again for one reason, as advice: a yes changes nothing. Pure. */
import { hashOf } from '../../core/base/canonical.ts';
import { makeVisible } from '../../core/base/make-visible.ts';
import { isMcpTool } from '../../core/signal/mcp-name.ts';
import { skillOf } from '../skills/skill-on.ts';
import { newest, proofOf } from './find-decided.ts';
import type { FailedCall } from './habit-evidence.ts';
import { HABIT_TIMES_MIN, type Offer } from './offer.ts';

/** A reason is one sentence. */
const FAILED_REASON_CHARS_MAX = 200;

/** Numbers differ from one time to the next: ids, times, counts. */
const reasonOf = ({ reason }: FailedCall): string =>
  makeVisible(reason).replace(/\s+/g, ' ').replace(/\d+/g, '#').slice(0, FAILED_REASON_CHARS_MAX).toWellFormed().trim();

const adviceFor = (tool: string): Pick<Extract<Offer, { kind: 'advice' }>, 'advice' | 'command'> => {
  if (isMcpTool(tool))
    return { advice: 'Look whether its server still answers and still offers this tool.', command: '/mcp list' };
  const skill = skillOf(tool);
  const off = skill === undefined ? {} : { command: `/skill off ${skill}` };
  return tool === 'call-webhook'
    ? { advice: 'Look at its address in the setting WEBHOOK_TARGETS, or keep the tool from being proposed.', ...off }
    : { advice: 'Say how it should be used instead, in a skill of yours, or keep it from being proposed.', ...off };
};

export const findFailed = (failed: readonly FailedCall[]): readonly Offer[] => {
  const groups = Map.groupBy(
    failed.filter(({ isClean }) => isClean),
    (call) => `${call.tool}\n${reasonOf(call)}`,
  );
  return [...groups.values()].flatMap((calls): readonly Offer[] => {
    const evidence = newest(calls);
    const last = evidence.at(-1);
    if (last === undefined || evidence.length < HABIT_TIMES_MIN) return [];
    const reason = reasonOf(last);
    const shape = hashOf('habit', ['advice', last.tool, reason]);
    const { tool } = last;
    return [{ kind: 'advice', shape, evidence: evidence.map(proofOf), tool, reason, ...adviceFor(tool) }];
  });
};
