/** A text made from outside text opens no link but those the facts name (I13). */
import { describe, expect, it } from 'vitest';
import { GATE_SET } from '../../../../lib/core/gates/engine/gate-set.ts';
import { verifyFully } from '../../../../lib/core/gates/engine/verify.ts';
import { checkProvenance } from '../../../../lib/core/gates/rules/provenance.ts';
import { factsFor, notice, reply, toolCall, webhookCall } from '../samples.ts';

const LINK = 'https://forge.example/acme/issues/7';
const NOTE = '\n\n(Links in what others wrote are shown so that they cannot be opened.)';
const tainted = { origin: 'outside' as const, knownUrls: [LINK] };

describe('checkProvenance', () => {
  it.each([{ knownUrls: [] }, { knownUrls: [LINK] }])(
    'names the links a text to Telegram may open: $knownUrls',
    ({ knownUrls }) => {
      const action = reply({ text: `See ${LINK} and https://evil.example/?d=42` });
      expect(checkProvenance(action, factsFor(action, { origin: 'outside', knownUrls }))).toStrictEqual({
        verdict: 'modify',
        reason: 'made from outside text: only the links it may show can be opened',
        action: { ...action, links: knownUrls },
      });
      const named = { ...action, links: knownUrls };
      expect(checkProvenance(named, factsFor(named, { origin: 'outside', knownUrls })).verdict).toBe('pass');
      const more = { ...action, links: [...knownUrls, 'https://evil.example/?d=42'] };
      expect(checkProvenance(more, factsFor(more, { origin: 'outside', knownUrls })).verdict).toBe('modify');
    },
  );

  it('spells links elsewhere so that nothing opens them', () => {
    const action = reply({ target: 'console', text: `See ${LINK} and https://evil.example/?d=42` });
    const verdict = checkProvenance(action, factsFor(action, tainted));
    const text = `See ${LINK} and hxxps://evil[.]example/?d=42${NOTE}`;
    expect(verdict.verdict === 'modify' ? verdict.action : verdict).toStrictEqual({ ...action, text });
    const plain = { ...action, text: 'Import org.apache.commons, v1.2.3.' };
    for (const same of [{ ...action, text }, plain])
      expect(checkProvenance(same, factsFor(same, tainted)).verdict).toBe('pass');
  });

  it('leaves owners, notices and calls to the other rules', () => {
    const text = 'See https://evil.example/?d=42';
    const own = reply({ text });
    expect(checkProvenance(own, factsFor(own)).verdict).toBe('pass');
    expect(checkProvenance(notice({ text }), factsFor(notice({ text }), tainted)).verdict).toBe('pass');
    expect(checkProvenance(toolCall(), factsFor(toolCall(), tainted)).verdict).toBe('pass');
    expect(checkProvenance(webhookCall(), factsFor(webhookCall(), tainted)).verdict).toBe('ask');
  });

  it('settles after one change, and says so in the trace', async () => {
    const result = await verifyFully(GATE_SET, reply({ text: 'See https://evil.example/?d=42' }), (action) =>
      Promise.resolve(factsFor(action, { origin: 'outside' })),
    );
    expect([result.outcome, result.action.links, result.facts.length]).toStrictEqual(['pass', [], 2]);
    expect(result.trace.filter(({ verdict }) => verdict !== 'pass').map(({ gate }) => gate)).toStrictEqual([
      'provenance',
    ]);
  });

  it('asks about a text that is no plain reply once its links are named', () => {
    const action = reply({ links: [] });
    expect(checkProvenance(action, factsFor(action, { origin: 'outside', isPlainReply: false })).verdict).toBe('ask');
  });
});
