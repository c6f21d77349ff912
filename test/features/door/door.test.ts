/**
 * The MCP server as clients use it: the official client in both eras of the protocol, over a whole
 * stack. A token's scopes decide which tools there are, an approver alone gives a yes, and whatever
 * a client sends as an answer to an elicitation approves nothing.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CONSOLE_VERBS } from '../../../lib/core/edge/console/console-verbs.ts';
import { buildDoorTools } from '../../../lib/features/door/tools.ts';
import { FEATURES } from '../../../lib/features/features.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, type TestStack, until } from '../../support/stack.ts';

const TOKENS = {
  reader: { token: 'token-of-a-reader-0001', scopes: ['read'] },
  speaker: { token: 'token-of-a-speaker-001', scopes: ['speak'] },
  owner: { token: 'token-of-the-owners-01', scopes: ['read', 'speak-as-owner'] },
  other: { token: 'token-of-the-owners-02', scopes: ['read', 'speak-as-owner'] },
} as const;

/** Proposes a job, which asks an approver; else tells what it was given to read. */
const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const [, name] = /^job (\w+)$/m.exec(text) ?? [];
  if (name === undefined || toolResultsOf(request).length > 0) return say(`I read: ${text}`);
  const steps = [{ say: 'drink water' }];
  return call('schedule-job', { name, every: '2h', steps, explanation: 'the owner asked for exactly this job' });
};

let test: TestStack;
beforeAll(async () => {
  test = await startTestStack({ script, environment: { API_TOKENS: JSON.stringify(TOKENS), MCP_DOOR: 'on' } });
});
afterAll(() => test?.stop());

/** How a client of the official library chooses the revision it speaks. */
const MODES = { auto: 'auto', legacy: 'legacy', newest: { pin: '2026-07-28' } } as const;
type Mode = keyof typeof MODES;

const connect = async (
  token: string,
  { mode = 'auto', capabilities = {} }: { readonly mode?: Mode; readonly capabilities?: object } = {},
): Promise<Client> => {
  const client = new Client(
    { name: 'tests', version: '1' },
    { capabilities, versionNegotiation: { mode: MODES[mode] }, inputRequired: { autoFulfill: false } },
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${test.stack.url}/mcp`), { requestInit: { headers } }),
  );
  return client;
};

/** The words of a result. */
const wordsOf = (result: unknown): string =>
  (result as { readonly content: readonly { readonly text: string }[] }).content.map(({ text }) => text).join();

const signals = async (): Promise<number> =>
  (await test.scan()).filter(({ pk, sk }) => String(pk).startsWith('signal#') && sk === 'record').length;

describe.each(['auto', 'legacy', 'newest'] as const)('a client that speaks %s', (mode) => {
  it('asks, looks and changes', async () => {
    const client = await connect(TOKENS.owner.token, { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
    expect(await client.callTool({ name: 'ask', arguments: { text: `what is ${mode}?` } })).toMatchObject({
      content: [{ type: 'text', text: `I read: what is ${mode}?` }],
      structuredContent: { turn: 'ended', outcome: 'done' },
      isError: false,
    });
    const kept = await client.callTool({ name: 'remember', arguments: { text: `the ${mode} key is under the mat` } });
    expect(kept.isError, wordsOf(kept)).toBe(false);
    const found = await client.callTool({ name: 'recall', arguments: { words: `${mode} key mat` } });
    expect(wordsOf(found)).toContain(`the ${mode} key is under the mat`);
    await client.close();
  });

  it('says which argument does not fit, and does nothing', async () => {
    const client = await connect(TOKENS.owner.token, { mode });
    const before = await signals();
    const wrong = await client.callTool({ name: 'ask', arguments: { words: 'hello' } });
    expect(wrong).toMatchObject({ isError: true });
    expect(wordsOf(wrong)).toContain('text');
    const other = await client.callTool({ name: 'jobs_show', arguments: { name: 'nobody' } });
    expect(other).toMatchObject({ isError: true });
    expect(await signals()).toBe(before);
    await client.close();
  });
});

describe('rights', () => {
  const all = buildDoorTools([...FEATURES, CONSOLE_VERBS]);
  const NEEDED: Readonly<Record<keyof typeof TOKENS, readonly string[]>> = {
    reader: ['read', 'own'],
    speaker: ['speak', 'own'],
    owner: ['read', 'speak', 'speak-as-owner', 'own'],
    other: ['read', 'speak', 'speak-as-owner', 'own'],
  };

  it('gives no token a tool that approves, grants, resumes or changes rights', () => {
    expect(all.filter(({ needs }) => needs === 'approver')).toStrictEqual([]);
    const names = all.map(({ name }) => name);
    for (const name of ['approve', 'deny', 'grants_add', 'revoke', 'resume', 'mcp_accept', 'skill_add', 'config_set'])
      expect(names).not.toContain(name);
  });

  it.each(Object.keys(NEEDED) as (keyof typeof TOKENS)[])(
    'lets %s use what its scopes allow, and nothing else',
    async (name) => {
      const client = await connect(TOKENS[name].token);
      const { tools } = await client.listTools();
      const allowed = all.filter(({ needs }) => NEEDED[name].includes(needs)).map((tool) => tool.name);
      expect(tools.map((tool) => tool.name)).toStrictEqual(allowed);
      const before = await signals();
      for (const tool of all.filter((one) => !allowed.includes(one.name)))
        await expect(client.callTool({ name: tool.name, arguments: { text: 'x' } }), tool.name).rejects.toThrow(
          'this token has no such tool',
        );
      expect(await signals()).toBe(before);
      await client.close();
    },
  );

  it('keeps signals of another token to itself', async () => {
    const [owner, speaker] = [await connect(TOKENS.owner.token), await connect(TOKENS.speaker.token)];
    const { structuredContent } = await owner.callTool({ name: 'ask', arguments: { text: 'mine' } });
    const { id } = structuredContent as { readonly id: string };
    const looked = await speaker.callTool({ name: 'result', arguments: { id } });
    expect(looked).toMatchObject({ isError: true, content: [{ text: 'there is no such signal' }] });
    await Promise.all([owner.close(), speaker.close()]);
  });

  const post = (headers: Readonly<Record<string, string>>) =>
    fetch(`${test.stack.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });

  it.each([
    ['no token', {}, 401],
    ['an unknown token', { authorization: 'Bearer not-a-token-of-anyone' }, 401],
    ["the approver's token", { authorization: `Bearer ${APPROVER_TOKEN}` }, 403],
    [
      'a page of another origin',
      { authorization: `Bearer ${TOKENS.owner.token}`, origin: 'https://evil.example' },
      403,
    ],
    ['a page without an origin', { authorization: `Bearer ${TOKENS.owner.token}`, origin: 'null' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    const before = await signals();
    const response = await post(headers as Record<string, string>);
    expect(response.status).toBe(status);
    expect(await signals()).toBe(before);
  });
});

it('says at once that it has no subscriptions', async () => {
  const client = await connect(TOKENS.reader.token);
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('this server has no subscriptions');
  await client.close();
});

describe('events', () => {
  const Listed = z.looseObject({ events: z.array(z.looseObject({ name: z.string() })) });
  const Polled = z.looseObject({
    ...{ events: z.array(z.looseObject({ eventId: z.string(), data: z.looseObject({}) })), cursor: z.string() },
  });
  const poll = (client: Client, cursor: string | null) =>
    client.request({ method: 'events/poll', params: { name: 'approval.waiting', cursor } }, Polled);

  it('are told to a client that polls, once each, and decide nothing', async () => {
    const client = await connect(TOKENS.owner.token);
    expect(client.getServerCapabilities()?.extensions).toStrictEqual({ 'io.modelcontextprotocol/events': {} });
    const { events } = await client.request({ method: 'events/list' }, Listed);
    expect(events.map(({ name }) => name)).toStrictEqual(['approval.waiting', 'job.missed', 'run.ended']);
    const { cursor } = await poll(client, null);
    const told = await client.callTool({ name: 'ask', arguments: { text: 'job events' } });
    const { id } = told.structuredContent as { readonly id: string };
    const first = await until('the event comes', async () => {
      const polled = await poll(client, cursor);
      return polled.events.length > 0 && polled;
    });
    expect(first.events.map(({ data }) => data)).toStrictEqual([
      { id: expect.stringContaining(id), n: expect.any(Number), does: 'schedule-job', page: `${test.stack.url}/` },
    ]);
    const { body } = await test.api<{ approvals: { id: string }[] }>('GET', '/api/approvals');
    expect(JSON.stringify(first)).not.toContain(body.approvals[0]?.id);
    expect((await poll(client, first.cursor)).events).toStrictEqual([]);
    for (const card of body.approvals)
      await test.api('POST', `/api/approvals/${encodeURIComponent(card.id)}`, { decision: 'deny' });
    await client.close();
  });

  it('are not for a token that may only speak, nor for a client of an older revision', async () => {
    const speaker = await connect(TOKENS.speaker.token);
    expect((await speaker.request({ method: 'events/list' }, Listed)).events).toStrictEqual([]);
    const before = `${Date.now() - 60_000} `;
    await expect(poll(speaker, before)).rejects.toMatchObject({ code: -32024 });
    const old = await connect(TOKENS.owner.token, { mode: 'legacy' });
    await expect(poll(old, before)).rejects.toMatchObject({ code: -32601 });
    await Promise.all([speaker.close(), old.close()]);
  });
});

describe('an action that waits for a yes', () => {
  const waiting = async () =>
    (await test.api<{ approvals: { id: string; signalId: string }[] }>('GET', '/api/approvals')).body.approvals;
  const decide = async (id: string, decision: 'approve' | 'deny') =>
    test.api('POST', `/api/approvals/${encodeURIComponent(id)}`, { decision });
  const again = (client: Client, further: object) =>
    client.callTool({ ...asks, ...further } as Parameters<Client['callTool']>[0], { allowInputRequired: true });
  const asks = { name: 'ask', arguments: { text: 'job water' } };

  it('sends a client that can open a page there; its answer approves nothing, and a repeat does nothing anew', async () => {
    const client = await connect(TOKENS.owner.token, { capabilities: { elicitation: { url: {} } } });
    const first = await client.callTool(asks, { allowInputRequired: true });
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { decide: { method: 'elicitation/create', params: { mode: 'url', url: `${test.stack.url}/` } } },
    });
    const { requestState } = first as unknown as { readonly requestState: string };
    const count = await signals();
    const inputResponses = { decide: { action: 'accept', content: { yes: true } } };
    const second = await again(client, { requestState, inputResponses });
    expect(second).toMatchObject({ resultType: 'input_required' });
    expect((await waiting()).length).toBe(1);
    expect(await signals()).toBe(count);

    const other = await connect(TOKENS.other.token, { capabilities: { elicitation: { url: {} } } });
    await expect(again(other, { requestState })).rejects.toThrow('requestState');
    const forged = `${requestState.slice(0, -4)}AAAA`;
    await expect(again(client, { requestState: forged })).rejects.toThrow('requestState');

    const [card] = await waiting();
    await decide(card?.id ?? '', 'deny');
    await until('the card is decided', async () => (await waiting()).length === 0);
    const third = await again(client, { requestState });
    expect(third).toMatchObject({ structuredContent: { turn: 'ended' } });
    await Promise.all([client.close(), other.close()]);
  });

  it.each(['auto', 'legacy'] as const)(
    'tells any other client that speaks %s in words, with an id to look up',
    async (mode) => {
      const client = await connect(TOKENS.owner.token, { mode });
      const told = await client.callTool({ name: 'ask', arguments: { text: `job tea${mode}` } });
      expect(told).toMatchObject({ structuredContent: { turn: 'waiting' }, isError: false });
      expect(wordsOf(told)).toContain('waits for the yes of an approver');
      const { id } = told.structuredContent as { readonly id: string };
      const [card] = await waiting();
      await decide(card?.id ?? '', 'deny');
      await until('the card is decided', async () => (await waiting()).length === 0);
      expect(await client.callTool({ name: 'result', arguments: { id } })).toMatchObject({
        structuredContent: { turn: 'ended' },
      });
      await client.close();
    },
  );
});
