/** A chat of somebody whose Telegram is German, on the real stack: what code says is German. */
import type { User } from 'grammy/types';
import { afterAll, expect, it } from 'vitest';
import { call, say, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const ANNA: User = { id: 8301, is_bot: false, first_name: 'Anna', language_code: 'de-AT' };
const CHAT = ANNA.id;
const target = 'http://127.0.0.1:9/hook';
const SECRET = `whsec_${Buffer.from('the secret of the target').toString('base64')}`;

const world = await startTestStack({
  environment: {
    WEBHOOK_TARGETS: JSON.stringify({ deploys: { url: target, secret: SECRET } }),
    WEBHOOK_URLS: JSON.stringify({ deploys: target }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  },
  script: (request) =>
    /^ausliefern$/m.test(userTextOf(request)) && request.messages.every(({ role }) => role !== 'tool')
      ? call('call-webhook', { webhook: 'deploys', body: { service: 'shop' }, explanation: 'so gewünscht' })
      : say(`re ${userTextOf(request)}`),
});
afterAll(world.stop);

const texts = () => world.telegram.sent(CHAT).map(({ text = '' }) => text);
const labels = (text: RegExp) =>
  world.telegram
    .sent(CHAT)
    .filter((message) => text.test(message.text ?? ''))
    .flatMap(({ reply_markup: keys }) => keys?.inline_keyboard.flat() ?? [])
    .map((key) => key.text);
/** Sends words, and gives the next text to the chat. */
const write = async (words: string): Promise<string> => {
  const before = texts().length;
  await world.settled(signalIdOf(world.telegram.sendText(CHAT, ANNA, words)));
  return until(`an answer to ${words}`, () => texts()[before]);
};

it('pairs, asks, decides and stops in German, until it is told to speak English', async () => {
  const { body } = await world.api<{ code: string }>('POST', '/api/pairing-codes', {}, APPROVER_TOKEN);
  const paired = await write(`/pair ${body.code}`);
  expect(paired).toBe(
    'Dieser Chat ist gekoppelt. /help sagt, was ich kann.\nSoll ich hier auch ungefragt schreiben, etwa Ereignisse und Warnungen?\n1. Ja, hier\n2. Nein',
  );
  expect(labels(/^Dieser Chat ist gekoppelt/)).toStrictEqual(['Ja, hier', 'Nein']);
  // The words of either language answer a question of code.
  expect(await write('no')).toBe('✓ Nein');
  expect(await write('/help jobs')).toMatch(/^was von selbst läuft, und wann/);
  expect(await write('/jobs show tee')).toMatch(/: es gibt keinen Auftrag tee; \/jobs nennt die, die es gibt\.$/);
  expect(await write('/runbook runs')).toBe('Noch ist kein Runbook gelaufen.');
  expect(await write('/hooks events')).toMatch(/^Kein Dienst hat in letzter Zeit ein Ereignis gesendet\. /);
  expect(await write('/news')).toBe('Kein Text eines Auftrags oder Dienstes kam gesammelt: Alle kamen einzeln.');

  world.telegram.sendText(CHAT, ANNA, 'ausliefern');
  const card = await until('the card is sent', () =>
    world.telegram.sent(CHAT).find(({ text = '' }) => text.startsWith('Den Webhook deploys aufrufen')),
  );
  expect(card.text).toMatch(/\nEinzelheiten \(wartet bis .* UTC auf ein Ja\):\n/);
  expect(labels(/^Den Webhook/)).toStrictEqual(['Freigeben', 'Ablehnen', 'Ähnliches erlauben …']);
  expect(await write('ja')).toMatch(/^Ein Wort allein entscheidet nichts/);
  const [, deny] = card.reply_markup?.inline_keyboard.flat() ?? [];
  world.telegram.tap(card.message_id, deny !== undefined && 'callback_data' in deny ? deny.callback_data : '', ANNA);
  for (const words of [
    /\nABGELEHNT von telegram:8301 um /,
    /^Abgelehnt: Den Webhook deploys aufrufen: service „shop“$/,
    /^re ausliefern$/,
  ])
    await until(`${words} is said`, () => texts().find((text) => words.test(text)));

  expect(await write('stopp')).toBe('Angehalten. Nichts wird getan, bis eine freigebende Person fortsetzt: /resume.');
  expect(await write('/resume')).toBe('Es geht weiter.');
  expect(await write('/language en')).toBe('What I say here by myself is in English. To change it: /language de');
  expect(await write('halt!')).toBe('Stopped. Nothing will be done until an approver resumes it: /resume.');
  expect(await write('/language')).toBe('What I say here by myself is in English. To change it: /language de');
});

it('answers what is going on, what waits, what is left and how it is set in German', async () => {
  expect(await write('/language de')).toMatch(/auf Deutsch/);
  const status = await write('/status');
  expect(status).toMatch(
    /^Angehalten: Nichts wird getan, .*\nIn diesem Gespräch .*\nHier wartende Nachrichten: 0\. Offene Freigaben: 0\./,
  );
  expect(await write('/approvals')).toBe('Nichts wartet auf eine Freigabe.');
  expect(await write('/budget')).toMatch(/^Heute \(.*, UTC\): \$.* von \$.* verplant, \$.* bleiben\.\nToken heute: /);
  expect(await write('/why')).toMatch(
    /^Der Aufruf von call-webhook: Das wurde .* abgelehnt: [\s\S]*\nEntscheidung: handeln\n/,
  );
  expect(await write('/config get BUDGET_DAY_USD')).toMatch(/^BUDGET_DAY_USD: .* \((?:Vorgabe|aus der Umgebung)\)$/);
  expect(await write('/config get NONE')).toMatch(/^Das lässt sich nicht zeigen: eine Einstellung NONE gibt es nicht;/);
});
