import { describe, expect, it } from 'vitest';
import { ACTION_BYTES_MAX } from '../../../../lib/core/base/limits.ts';
import { checkProtocolSchema } from '../../../../lib/core/gates/rules/protocol-schema.ts';
import type { Action } from '../../../../lib/core/signal/action.ts';
import { factsFor, notice, reply, toolCall, webhookCall } from '../samples.ts';

/**
 * A sample with fields changed or, where `undefined`, taken out; also into what the types forbid.
 */
const altered = (action: Action, changes: Record<string, unknown>): Action => {
  const entries = Object.entries({ ...action, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Action;
};
const check = (action: Action) => checkProtocolSchema(action, factsFor(reply()));

describe('checkProtocolSchema', () => {
  it.each<readonly [string, Action]>([
    ['a Telegram text', reply()],
    ['a console text', reply({ target: 'console' })],
    ['a system message', altered(reply({ target: 'system' }), { to: undefined })],
    ['a tool call', toolCall()],
    ['a tool call without arguments', altered(toolCall({ tool: 'current-time' }), { args: undefined })],
    ['a webhook call', webhookCall()],
    ['a notice', notice()],
    ['an approval card', notice({ card: '0'.repeat(32) })],
    ['a system message to a session', reply({ target: 'system' })],
    ['a change of a message of its own', notice({ target: 'telegram', edits: { message: 5 } })],
    ['a command of a person', toolCall({ author: 'owner' })],
  ])('lets through %s', (_name, action) => {
    expect(check(action)).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each<readonly [string, Action, string]>([
    ['an approved flag', altered(reply(), { approved: true }), 'it does not have the form of an action'],
    ['an unknown target', altered(reply(), { target: 'shell' }), 'it does not have the form of an action'],
    ['an unknown author', altered(reply(), { author: 'operator' }), 'it does not have the form of an action'],
    ['no explanation field', altered(reply(), { explanation: undefined }), 'it does not have the form of an action'],
    ['a number for a text', altered(reply(), { text: 5 }), 'it does not have the form of an action'],
    [
      'a tool name that is not normalised',
      toolCall({ tool: 'Call_Webhook' }),
      'it does not have the form of an action',
    ],
    ['a text to nobody', altered(reply(), { to: undefined }), 'telegram needs to'],
    ['a text to a blank recipient', reply({ to: ' ' }), 'telegram needs to'],
    ['a text without words', altered(reply(), { text: undefined }), 'telegram needs text'],
    ['a blank text', reply({ target: 'console', text: ' \n' }), 'console needs text'],
    ['a system message without words', altered(reply({ target: 'system' }), { text: undefined }), 'system needs text'],
    ['a tool on a text', reply({ tool: 'remember' }), 'telegram takes no tool'],
    ['arguments on a text', reply({ args: {} }), 'telegram takes no args'],
    ['a URL on a text', reply({ url: 'https://example.com/' }), 'telegram takes no url'],
    ['a call of no tool', altered(toolCall(), { tool: undefined }), 'tool needs tool'],
    ['a text on a tool', toolCall({ text: 'hello' }), 'tool takes no text'],
    ['a URL on a tool', toolCall({ url: 'https://example.com/' }), 'tool takes no url'],
    ['a recipient on a tool', toolCall({ to: '4711' }), 'tool takes no to'],
    ['a webhook by no name', altered(webhookCall(), { to: undefined }), 'webhook needs to'],
    ['a webhook without its URL', altered(webhookCall(), { url: undefined }), 'webhook needs url'],
    ['a webhook without its tool', altered(webhookCall(), { tool: undefined }), 'webhook needs tool'],
    ['a webhook with another tool', webhookCall({ tool: 'remember' }), 'webhook needs a tool that leaves the space'],
    ['a text on a webhook', webhookCall({ text: 'hello' }), 'webhook takes no text'],
    ['call-webhook past the network gate', toolCall({ tool: 'call-webhook' }), 'call-webhook is not an ordinary tool'],
    [
      'a text by code without template',
      altered(notice(), { template: undefined }),
      'a text made by code needs its template',
    ],
    ['a text of a person', reply({ author: 'owner' }), 'a command of a person is a tool call'],
    ['a webhook of a person', webhookCall({ author: 'owner' }), 'a command of a person is a tool call'],
    ['a change by the model', reply({ edits: { message: 5 } }), 'only code changes its own messages'],
    ['a change on the console', notice({ edits: { message: 5 } }), 'only code changes its own messages'],
    ['a card of a person', toolCall({ author: 'owner', card: 'x' }), 'only code makes approval cards'],
    ['arguments on a console text', reply({ target: 'console', args: {} }), 'console takes no args'],
    ['an empty text on a webhook', webhookCall({ text: '' }), 'webhook takes no text'],
    ['an empty recipient on a tool', toolCall({ to: '' }), 'tool takes no to'],
    ['a URL on a system message', reply({ target: 'system', url: 'https://a.example' }), 'system takes no url'],
    ['a text by code with an empty template', notice({ template: '' }), 'a text made by code needs its template'],
    ['a card of the model', reply({ card: '0'.repeat(32) }), 'only code makes approval cards'],
    ['a template of the model', reply({ template: 'stopped' }), 'only code writes from a template'],
  ])('stops %s', (_name, action, reason) => {
    expect(check(action)).toStrictEqual({ verdict: 'block', reason });
  });

  it('lets a person send a text to somebody else, and nothing else but tool calls', () => {
    const elsewhere = { ...factsFor(reply()), isPlainReply: false };
    expect(checkProtocolSchema(reply({ author: 'owner' }), elsewhere)).toStrictEqual({ verdict: 'pass', reason: '' });
    for (const action of [webhookCall({ author: 'owner' }), reply({ author: 'owner', target: 'system' })])
      expect(checkProtocolSchema(action, elsewhere)).toMatchObject({ verdict: 'block' });
  });

  it('bounds the size of the canonical form in bytes', () => {
    const sizeOf = (action: Action) => Buffer.byteLength(JSON.stringify(action));
    const empty = sizeOf(reply({ text: '' }));
    for (const letter of ['a', 'ä', '世', '"', '\n']) {
      const step = sizeOf(reply({ text: letter })) - empty;
      const fitting = Math.floor((ACTION_BYTES_MAX - empty) / step);
      expect(check(reply({ text: `x${letter.repeat(fitting - 1)}` })).verdict, letter).toBe('pass');
      expect(check(reply({ text: `x${letter.repeat(fitting + 1)}` })), letter).toStrictEqual({
        verdict: 'block',
        reason: `it is larger than ${ACTION_BYTES_MAX} bytes`,
      });
    }
  });
});
