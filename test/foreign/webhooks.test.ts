/** Bodies of events, files of `webhooks/`, signed as their services do and read. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Signal } from '../../lib/core/signal/signal.ts';
import { NOW, ROWS, type Row, send } from '../features/webhooks/scheme-rows.ts';
import { readCases } from './read-cases.ts';

const Case = z.strictObject({
  by: z.string(),
  /** A row of the schemes, which says how a request is signed. */
  scheme: z.string().default('path-token'),
  method: z.string().default('POST'),
  headers: z.record(z.string(), z.string()).default({}),
  query: z.string().default(''),
  /** The owner's line for its events. */
  form: z.string().optional(),
  /** The body: as JSON, as the very text, or as bytes in hexadecimal digits. */
  body: z.unknown().optional(),
  raw: z.string().optional(),
  hex: z.string().optional(),
  expect: z.union([
    z.strictObject({ event: z.string().optional(), text: z.string().optional(), body: z.unknown().optional() }),
    z.strictObject({ answer: z.string(), isJson: z.boolean(), headers: z.unknown().optional() }),
    z.strictObject({ error: z.string() }),
  ]),
});

const rowOf = (name: string): Row => {
  const row = ROWS[name];
  if (row === undefined) throw new Error(`no row of schemes is named ${name}`);
  return row;
};

describe('the body of an event', () => {
  it.each(readCases('webhooks', Case))('$name', async ({ expect: expected, ...given }) => {
    const { scheme, method, form } = given;
    const row = rowOf(scheme);
    const bytes = Buffer.from(
      given.hex ?? given.raw ?? JSON.stringify(given.body),
      given.hex === undefined ? 'utf8' : 'hex',
    );
    const made = row.make(bytes.toString(), NOW);
    const entry = form === undefined ? row.entry : Object.assign({}, row.entry, { form });
    const query = new URLSearchParams(given.query);
    const request = { ...made, method, query, bytes, headers: { ...made.headers, ...given.headers }, body: '' };
    const parsed = await send({ ...row, entry, make: () => ({}) }, request);
    if ('error' in expected)
      return expect(parsed).toMatchObject({ kind: 'refused', status: 400, error: expected.error });
    if ('answer' in expected) {
      const { answer: text, ...rest } = expected;
      return expect(parsed).toStrictEqual({ kind: 'answer', answer: { text, ...rest } });
    }
    if (parsed.kind !== 'signal') throw new Error(JSON.stringify(parsed));
    const { payload } = Signal.parse(parsed.signal);
    if (payload.sensor !== 'webhook') throw new Error(payload.sensor);
    const { text, ...rest } = payload;
    return expect({ ...rest, text: text.map((piece) => piece.text).join('\n') }).toMatchObject(expected);
  });
});
