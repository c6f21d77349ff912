/**
 * A new user with a phone's habits: speaks a reminder, sends files, and a picture of a bill. With
 * `TRANSCRIPT=<file>` it writes the chat as infra/phone-transcript.md shows it.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Message } from 'grammy/types';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdf } from '../../support/documents.ts';
import { call, say, type Transcribe, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome, type Program } from '../support/home.ts';
import { type TelegramPerson, telegramPerson } from '../support/telegram-person.ts';

const [OWNER, ANNA] = [7201, 7202];

const REMINDER: Transcribe = () => 'Remind me every 2h about drinking water';
let listen = REMINDER;
let home: Home;
let program: Program;

/** What the person did, each behind the message with this number. */
const did: { readonly after: number; readonly line: string }[] = [];
const newest = (): number => home.telegram.sent(OWNER).at(-1)?.message_id ?? 0;
const owner = (): TelegramPerson => {
  const person = telegramPerson(home.telegram, OWNER);
  const note = <T>(line: string, work: () => T): T => {
    did.push({ after: newest(), line });
    return work();
  };
  return {
    ...person,
    says: (text, extras) => note(text, () => person.says(text, extras)),
    edits: (message, text) => note(`(corrects “${message.text}” to) ${text}`, () => person.edits(message, text)),
    taps: (message, words) => note(`(taps ${words})`, () => person.taps(message, words)),
  };
};
const sends = (fields: Partial<Message>) => {
  const { voice: spoken, document, caption = '' } = fields;
  const what = spoken === undefined ? (document === undefined ? 'a photo' : document.file_name) : 'a voice message';
  did.push({ after: newest(), line: `(${what}) ${caption}`.trim() });
  return home.telegram.sendMessage(OWNER, OWNER, fields);
};
/** The model of this test answers with its prompt. */
const shown = ({ text = '(a voice note)', reply_markup: keys }: Message): string => {
  const buttons = (keys?.inline_keyboard ?? []).map((row) => row.map((key) => `[${key.text}]`).join(' '));
  return [text.startsWith('I read:') ? '(an answer of the model)' : text, ...buttons].join('\n');
};
const transcript = (): string => {
  const bot = home.telegram.sent(OWNER).map((message) => ({ after: message.message_id, line: shown(message) }));
  const person = did.map(({ after, line }) => ({ after: after + 0.5, line: `> ${line}` }));
  const all = [...bot, ...person].toSorted((left, right) => left.after - right.after);
  return all.map(({ line }) => line).join('\n\n');
};
const voice = (seconds: number) => ({
  voice: {
    file_id: home.telegram.addFile(Buffer.from('OggS …')),
    file_unique_id: 'v',
    duration: seconds,
    mime_type: 'audio/ogg',
  },
});

beforeAll(async () => {
  home = await openHome(
    (request) => {
      if (/which colour/.test(userTextOf(request))) return say('Which one?\n1. Blue\n2. Red');
      const [, kind] = /^send that (photo|PDF) to anna/i.exec(userTextOf(request)) ?? [];
      if (kind !== undefined && toolResultsOf(request).length === 0) {
        const files = JSON.stringify(request.messages).match(/\[a (picture|document), [^\]]+, [0-9a-f]{64}\]/g) ?? [];
        const content = files.findLast((name) => name.startsWith(kind === 'PDF' ? '[a document' : '[a picture')) ?? '';
        const name = kind === 'PDF' ? 'bill.pdf' : 'bill.jpg';
        return call('send-file', { name, content, to: 'anna', explanation: 'it was asked for' });
      }
      const every = /every (\w+) about (.+)$/m.exec(userTextOf(request));
      if (every === null || toolResultsOf(request).length > 0)
        return say(
          `I read: ${request.messages
            .map(({ content }) => content)
            .join('\n')
            .slice(-1500)}`,
        );
      return call('schedule-job', {
        name: 'water',
        every: every[1],
        steps: [{ say: every[2] }],
        explanation: 'it was asked for',
      });
    },
    (recording) => listen(recording),
  );
  home.set({ ...home.modelSettings, ...home.telegramSettings });
  program = await home.start();
  owner().says(/\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
  await owner().reads('This chat is paired.');
});
afterAll(async () => {
  if (process.env.TRANSCRIPT !== undefined) writeFileSync(process.env.TRANSCRIPT, `${transcript()}\n`);
  await home?.close();
});

it('speaks before anything is set up for it, and reads which setting helps', async () => {
  sends(voice(4));
  await owner().reads('TRANSCRIPTION_MODEL, such as gpt-transcribe, names one');
  owner().says('/voice on');
  await owner().reads('SPEECH_MODEL, such as gpt-4o-mini-tts, names one');
});

it('sets it, speaks a reminder, reads what was heard, and approves the job', async () => {
  await program.end();
  home.set({ TRANSCRIPTION_MODEL: 'gpt-transcribe', SPEECH_MODEL: 'gpt-4o-mini-tts' });
  program = await home.start();
  sends(voice(4));
  await owner().reads('I heard: “Remind me every 2h about drinking water”');
  const card = await owner().reads('say “drinking water”');
  expect(card.text).not.toContain('outside');
  expect(await owner().taps(card, 'Approve')).toBe('');
  await owner().reads(/^Approved: /);
  expect(await home.paste('npx passepartout jobs list')).toContain('water');
  // The key of the provider at the same address served.
  expect(home.model.recordings.map(({ authorization }) => authorization)).toStrictEqual(['Bearer sk-journey']);
});

it('speaks while the provider is down, and taps to be heard when it is back', async () => {
  listen = () => ({ kind: 'status', status: 500 });
  sends(voice(4));
  const sorry = await owner().reads('failed on its side (500)');
  listen = () => 'what colour is my bike?';
  await owner().taps(sorry, 'Try again');
  await owner().reads(/I read:[\s\S]*what colour is my bike\?/);
  listen = REMINDER;
});

it('has an answer said aloud, until it wants text alone again', async () => {
  owner().says('/voice on');
  await owner().reads('come as voice notes too');
  owner().says('good morning');
  await owner().reads(/I read:[\s\S]*good morning/);
  await until('the voice note', () => home.telegram.sent(OWNER).find(({ voice }) => voice !== undefined));
  expect(home.model.spoken.at(-1)?.input).toContain('good morning');
  owner().says('/voice off');
  await owner().reads('come as text alone');
});

it('sends a text file and a PDF bill and asks about each; of another file it reads what can be read', async () => {
  const file = (bytes: string | Buffer, file_name: string) => ({
    document: { file_id: home.telegram.addFile(Buffer.from(bytes)), file_unique_id: 'd', file_name },
  });
  sends({ ...file('bread 2.40\ntea 4.10', 'bill.csv'), caption: 'how much was the tea?' });
  const answer = await owner().reads('tea 4.10');
  expect(answer.text).toContain('how much was the tea?');
  sends({ ...file(pdf(['Green tea 7.20', 'Total 7.20']), 'bill.pdf'), caption: 'what did the green tea cost?' });
  const read = await owner().reads('Green tea 7.20');
  expect(read.text).toContain('what did the green tea cost?');
  expect(read.text).toContain('[page 1]');
  sends(file('%PDF-1.7 \0', 'half.pdf'));
  await owner().reads('it is damaged, or only a part of a file');
  sends(file('\0\x01', 'program.bin'));
  await owner().reads(
    'it is no text, picture (PNG, JPEG, WebP), PDF, office file or mail; nothing else can be read yet',
  );
});

it('sends a picture, reads which setting helps, and then is answered about it', async () => {
  const bill = () => ({
    photo: [
      {
        file_id: home.telegram.addFile(Buffer.from('\xff\xd8\xff\xe0 a bill', 'latin1')),
        file_unique_id: 'p',
        width: 960,
        height: 1280,
      },
    ],
  });
  sends(bill());
  await owner().reads('"images": true for one in PROVIDERS');
  await program.end();
  home.set({
    PROVIDERS: JSON.stringify({ mine: { baseUrl: home.model.baseUrl, model: 'seeing', images: true } }),
    PROVIDER_CASCADE: 'mine',
  });
  program = await home.start();
  sends({ ...bill(), caption: 'what do I owe?' });
  await owner().reads(/I read:[\s\S]*what do I owe\?[\s\S]*a picture that came with the message/);
  expect(home.model.requests.at(-1)?.pictures).toHaveLength(1);
});

it('sends two photos as one album, and is answered once', async () => {
  const page = (words: string) => ({
    media_group_id: '77',
    photo: [
      {
        file_id: home.telegram.addFile(Buffer.from(`\xff\xd8\xff\xe0 ${words}`, 'latin1')),
        file_unique_id: words,
        width: 960,
        height: 1280,
      },
    ],
  });
  const before = owner().screen().length;
  sends({ ...page('page one'), caption: 'what do both pages say?' });
  sends(page('page two'));
  await owner().reads(/I read:[\s\S]*what do both pages say\?/);
  expect(home.model.requests.at(-1)?.pictures).toHaveLength(2);
  expect(owner().screen()).toHaveLength(before + 1);
});

it('has that photo and that PDF sent to Anna, after a yes on a card that shows the hash', async () => {
  home.telegram.openChat(ANNA);
  owner().says(`/chats name ${ANNA} anna`);
  await owner().reads('is named anna');
  owner().says('send that photo to Anna');
  const card = await owner().reads('Send the file bill.jpg');
  expect(card.text).toContain(createHash('sha256').update('\xff\xd8\xff\xe0 page two', 'latin1').digest('hex'));
  await owner().taps(card, 'Approve');
  await until('it arrives', () => home.telegram.sent(ANNA).some(({ document }) => document?.file_name === 'bill.jpg'));
  owner().says('send that PDF to Anna');
  const next = await owner().reads('Send the file bill.pdf');
  await owner().taps(next, 'Approve');
  await until('it arrives', () => home.telegram.sent(ANNA).some(({ document }) => document?.file_name === 'bill.pdf'));
});

it('is asked a question, and taps the answer', async () => {
  owner().says('which colour shall the door have?');
  const question = await owner().reads('Which one?');
  expect(owner().buttons(question)).toStrictEqual(['Blue', 'Red']);
  await owner().taps(question, 'Red');
  await owner().reads(/I read:[\s\S]*^Red$/m);
  expect(owner().buttons(question)).toStrictEqual(['✓ Red']);
});

it('corrects a typo of an answered message, and is answered to what it says now', async () => {
  const message = owner().says('buy mlik');
  await owner().reads(/I read:[\s\S]*buy mlik/);
  owner().edits(message, 'buy milk');
  await owner().reads(/I read:[\s\S]*buy milk/);
});
