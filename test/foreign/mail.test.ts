/** Mails, files of `mail/`, played through the parser: whose words they are, or nobody's. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { splitHtml } from '../../lib/features/mail/html.ts';
import { parseMail } from '../../lib/features/mail/parse-mail.ts';
import { readCases } from './read-cases.ts';

const Case = z.strictObject({
  by: z.string(),
  /** Fields above the usual ones; those of the same name take their place, but for From. */
  head: z.array(z.string()),
  plain: z.string().optional(),
  html: z.string().optional(),
  expect: z.strictObject({
    own: z.string().optional(),
    outside: z.string().optional(),
    subject: z.string().optional(),
    not: z.string().optional(),
    to: z.string().optional(),
    /** A part of the reason. */
    ignored: z.string().optional(),
  }),
});

const NOW = Date.parse('2026-11-30T10:00:05Z');
const CONFIG = {
  ...{ address: 'agent@agent.example', authservId: 'mx.agent.example', space: 'default' },
  ...{ isServed: true, topic: undefined, now: NOW },
};
const USUAL = [
  'From: Owner <Owner@home.example>',
  'Subject: Hello',
  'Date: Mon, 30 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@home.example>',
];

describe('a mail', () => {
  it.each(readCases('mail', Case))('$name', ({ head, plain, html, expect: expected }) => {
    const given = new Set(head.map((field) => field.split(':', 1)[0]));
    const usual = USUAL.filter((field) => field.startsWith('From') || !given.has(field.split(':', 1)[0]));
    const words = html === undefined ? { plain } : splitHtml(html);
    const update = { validity: 1, uid: 1, at: NOW, head: [...head, ...usual].join('\r\n'), ...words, files: [] };
    const intake = parseMail(update, CONFIG);
    if (expected.ignored !== undefined)
      return expect(intake).toMatchObject({ kind: 'ignored', reason: expect.stringMatching(expected.ignored) });
    if (intake.kind !== 'signal') throw new Error(JSON.stringify(intake));
    const { payload, reply, sender } = intake.signal;
    const pieces = payload.sensor === 'chat-message' ? payload.text : [];
    const of = (origin: string) => pieces.filter((piece) => piece.origin === origin && piece.label !== 'subject');
    expect(of('owner').map(({ text }) => text)).toStrictEqual(expected.own === undefined ? [] : [expected.own]);
    if (expected.outside !== undefined)
      expect(
        of('outside')
          .map(({ text }) => text)
          .join('\n'),
      ).toContain(expected.outside);
    if (expected.subject !== undefined)
      expect(pieces).toContainEqual({ text: expected.subject, origin: 'owner', label: 'subject' });
    if (expected.not !== undefined) expect(JSON.stringify(pieces)).not.toContain(expected.not);
    if (expected.to !== undefined) expect(reply.to).toBe(expected.to);
    return expect(sender.isApprover).toBe(false);
  });
});
