/**
 * An owner on Signal: set-up by its name, pair by the printed code, decide a card by a number,
 * write in a group, send a file, react, correct, stop; a break of the stream and a restart lose and
 * repeat nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { ACCOUNT, ACCOUNT_ID, type SignalServer, startSignalServer } from '../../support/signal-server.ts';
import { until } from '../../support/stack.ts';
import { startTarget, type Target } from '../../support/target.ts';
import { type Home, openHome } from '../support/home.ts';

const OWNER = '11111111-1111-4111-8111-111111111111';
const STRANGER = '22222222-2222-4222-8222-222222222222';
const GROUP = 'Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=';
const IN_GROUP = { groupInfo: { groupId: GROUP, groupName: 'Club', revision: 1, type: 'DELIVER' } };
const NAMED = { mentions: [{ name: ACCOUNT, number: ACCOUNT, uuid: ACCOUNT_ID, start: 0, length: 1 }] };

const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const ref = /^deploy (\S+)$/m.exec(text)?.[1];
  if (ref === undefined) return say(`**I read**: ${text}`);
  if (toolResultsOf(request).length > 0) return say(`Settled: ${ref}`);
  return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: 'the owner asked for a deployment' });
};

let home: Home;
let signal: SignalServer;
let target: Target;
let program: Awaited<ReturnType<Home['start']>>;
const start = async (): Promise<void> => {
  program = await home.start();
  await until('it listens', () => signal.listeners() === 1);
};
beforeAll(async () => {
  [home, signal, target] = await Promise.all([openHome(script), startSignalServer(), startTarget()]);
  home.set({ ...home.modelSettings, ...target.environmentOf('deploys') });
  const setup = home.open('npx passepartout setup --plain --only signal');
  await setup.prints('The address of its daemon');
  setup.type(signal.url);
  await setup.prints('Signal: reachable.');
  await setup.prints('Set up.');
  await setup.end();
  await start();
});
afterAll(async () => {
  await home.close();
  target.close();
  await signal.close();
});

const textsTo = (to: string): readonly string[] => signal.messages(to).map(({ message }) => message);
const answered = (to: string, what: RegExp) =>
  until(`${to} reads ${what}; it has ${JSON.stringify(textsTo(to))}`, () =>
    signal.messages(to).find(({ message }) => what.test(message)),
  );
const quoteOf = ({ timestamp: id, message: text }: { timestamp: number; message: string }) => ({
  quote: { id, author: ACCOUNT, authorNumber: ACCOUNT, authorUuid: ACCOUNT_ID, text, attachments: [] },
});
const refs = (): readonly string[] => target.posts.map(({ body }) => JSON.parse(body).ref);

describe('an owner on Signal', () => {
  it('reads at the start how it is connected, and doctor says so too', async () => {
    expect(program.output()).toMatch(/signal +Signal, events of signal-cli at http:\/\/127\.0\.0\.1:\d+/);
    expect(await home.paste('npx passepartout doctor')).toMatch(/signal/i);
  });

  it('pairs by the printed code; a stranger gets one refusal, and no model is asked', async () => {
    signal.say(STRANGER, 'let me in');
    await answered(STRANGER, /serves only chats that are paired/);
    const code = /\/pair ([0-9A-Z-]{8,9})/.exec(await home.paste('npx passepartout pair'))?.[1] ?? '';
    signal.say(OWNER, `/pair ${code}`);
    await answered(OWNER, /This chat is paired/);
    signal.say(STRANGER, `/pair ${code}`);
    await answered(STRANGER, /no valid pairing code/);
    expect(JSON.stringify(home.model.requests)).not.toContain('let me in');
  });

  it('gets an answer with its marks as styles', async () => {
    signal.say(OWNER, 'hello');
    expect(await answered(OWNER, /I read: .*hello/s)).toMatchObject({ textStyle: ['0:6:BOLD'] });
    expect(signal.typing()).toContain(OWNER);
  });

  it('decides a card by a number; a number that answers no card is words, and nobody else decides', async () => {
    signal.say(OWNER, 'deploy one');
    const card = await answered(OWNER, /\n1 Approve\n2 Deny\n3 /);
    signal.say(OWNER, '1');
    await answered(OWNER, /I read: .*1/s);
    signal.say(STRANGER, '1', quoteOf(card));
    expect(refs()).toStrictEqual([]);
    signal.say(OWNER, '1', quoteOf(card));
    await answered(OWNER, /Settled: one/);
    expect(refs()).toStrictEqual(['one']);
    expect(textsTo(OWNER).filter((text) => /\n1 Approve/.test(text))).toStrictEqual([]);
    signal.say(OWNER, 'deploy two');
    signal.say(OWNER, '2', quoteOf(await answered(OWNER, /\n1 Approve\n2 Deny/)));
    await answered(OWNER, /denied/i);
    expect(refs()).toStrictEqual(['one']);
  });

  it('hears in a group only what names it, answers there, and takes an approver for one', async () => {
    const code = /\/pair ([0-9A-Z-]{8,9})/.exec(await home.paste('npx passepartout pair'))?.[1] ?? '';
    signal.say(OWNER, `/pair ${code}`, IN_GROUP);
    const group = `group ${GROUP}`;
    await answered(group, /paired/);
    signal.say(STRANGER, 'nobody asked you', IN_GROUP);
    signal.say(OWNER, '\uFFFC what is this?', { ...IN_GROUP, ...NAMED });
    await answered(group, /I read: .*what is this/s);
    signal.say(STRANGER, '\uFFFC deploy three', { ...IN_GROUP, ...NAMED });
    const card = await answered(group, /\n1 Approve/).catch(() => undefined);
    if (card !== undefined) signal.say(STRANGER, '1', { ...IN_GROUP, ...quoteOf(card) });
    expect(refs()).toStrictEqual(['one']);
    expect(textsTo(group).some((text) => text.includes('nobody asked you'))).toBe(false);
  });

  it('reads a file, words that were corrected, and reactions', async () => {
    const id = signal.addFile(Buffer.from('The tea is in the blue tin.'));
    const file = { id, contentType: 'text/plain', filename: 'tea.txt', size: 27 };
    signal.say(OWNER, 'what does it say?', { attachments: [file] });
    await answered(OWNER, /I read: .*blue tin/s);
    const event = signal.eventOf(OWNER, { message: 'I meant green' });
    const { dataMessage, ...envelope } = event.envelope;
    signal.tell({
      ...event,
      envelope: { ...envelope, editMessage: { targetSentTimestamp: envelope.timestamp - 1, dataMessage } },
    });
    await answered(OWNER, /I read: .*I meant green/s);
  });

  it('loses and repeats nothing over a break of the stream and a restart', async () => {
    signal.cut();
    signal.say(OWNER, 'during the break');
    await answered(OWNER, /during the break/);
    await program.end();
    signal.say(OWNER, 'while it was away');
    await start();
    await answered(OWNER, /while it was away/);
    signal.say(OWNER, 'the last one');
    await answered(OWNER, /the last one/);
    for (const words of ['hello', 'during the break', 'while it was away'])
      expect([
        words,
        textsTo(OWNER).filter((text) => text.startsWith('I read') && text.includes(words)).length,
      ]).toStrictEqual([words, 1]);
    expect(refs()).toStrictEqual(['one']);
  });

  it('sends a text once whose answer was lost, and once more only when asked to by a number', async () => {
    signal.failNext('is-lost');
    signal.say(OWNER, 'is it lost?');
    const doubt = await answered(OWNER, /\n1 Send it again/);
    const times = () =>
      textsTo(OWNER).filter((text) => text.startsWith('I read') && text.includes('is it lost?')).length;
    expect(times()).toBe(1);
    signal.say(OWNER, '1', quoteOf(doubt));
    await until('it came again', () => times() === 2);
  });

  it('stops everything by a word', async () => {
    signal.say(OWNER, 'STOP');
    await answered(OWNER, /stopped/i);
  });
});
