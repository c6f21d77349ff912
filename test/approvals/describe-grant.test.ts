/** A grant as a person reads it in a list: all of it, in one line. */
import { describe, expect, it } from 'vitest';
import { describeGrant } from '../../lib/approvals/card.ts';
import { grantWith } from './samples.ts';

const until = 'until 2026-09-22 14:13 UTC';

describe('describeGrant', () => {
  it('tells what, with which arguments, how often, until when, where and by whom', () => {
    expect(describeGrant(grantWith({ uses: 3 }))).toBe(
      `a1b2c3d4e5f6: call-webhook (webhook, tickets) · with {"body":{"title":"Disk is full"}} · used 3 of 10 · ${until} · in telegram:7 · by telegram:7`,
    );
  });

  it('tells what is loosened and what outside text it covers', () => {
    const { session: _session, ...anywhere } = grantWith({
      loosened: [
        { path: '/body/ref', kind: 'any' },
        { path: '/body/path', kind: 'prefix', prefix: 'docs/' },
      ],
      taintSource: 'webhook shop',
    });
    expect(describeGrant(anywhere)).toBe(
      `a1b2c3d4e5f6: call-webhook (webhook, tickets) · with {"body":{"title":"Disk is full"}} · except /body/ref anything, /body/path starting with docs/ · used 0 of 10 · ${until} · in any conversation · also for outside text: webhook shop · by telegram:7`,
    );
  });

  it('leaves out what a text has not, and hides nothing', () => {
    const { tool: _tool, to: _to, args: _args, ...text } = grantWith({ target: 'console', createdBy: 'a\u200bb' });
    expect(describeGrant(text)).toBe(
      `a1b2c3d4e5f6: message (console) · used 0 of 10 · ${until} · in telegram:7 · by a\\u{200b}b`,
    );
  });
});
