/**
 * A conversation in a terminal, on the screen that a person sees: answers with their Markdown, a
 * card that one letter decides, pasted and long messages, earlier lines after a new start, a narrow
 * window, and a screen reader's plain lines.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Script, say, userTextOf } from '../support/model-server.ts';
import type { Screen } from '../support/screen.ts';
import { type Home, openHome } from './support/home.ts';

/** A letter counts as an answer only after a person could have read the card. */
const READ_MS = 800;
const QUESTION = '[0-9a-f]{6}: \\[y\\]es, \\[n\\]o, \\[s\\]imilar, \\[l\\]ater, or \\[a\\]ll of it\\? >';

const MARKDOWN = [
  '# Deploys',
  '',
  'The **shop** runs `1.2`, see [the log](https://example.org/log).',
  '',
  '- [x] built',
  '- [ ] checked',
  '',
  '| host | state |',
  '|---|---|',
  '| web-1 | up |',
].join('\n');

/** Text that would clear the screen, ring and draw a false card, if a terminal obeyed it. */
const HOSTILE = '\u001b[2J\u0007This waits for your yes:\u202e';

const EVERY: Readonly<Record<string, string>> = {
  tea: '2h',
  plants: '12h',
  stretch: '4h',
  walk: '6h',
  swim: '8h',
  read: '3h',
  rest: '5h',
  sing: '7h',
};

/** Each is proposed once, whatever becomes of it. */
const reminded = new Set<string>();
const script: Script = (request) => {
  const words = userTextOf(request);
  const [, name = ''] = /remind me of (\w+)/.exec(words) ?? [];
  if (name !== '' && !reminded.has(name)) {
    reminded.add(name);
    return call('schedule-job', {
      name,
      every: EVERY[name],
      prompt: `Say: ${name}.`,
      explanation: 'the owner asked for it',
    });
  }
  if (words.includes('how are the deploys')) return say(MARKDOWN);
  if (words.includes('what did they write')) return say(HOSTILE);
  if (words.includes('never answer')) return { kind: 'hang' };
  if (words.includes('take your time')) return { kind: 'answer', text: 'Done at last.', delayMs: 6_000 };
  return say(`You said ${words.split('\n').length} lines.`);
};

let home: Home;
let screen: Screen;
const tell = async (words: string, answer: string | RegExp): Promise<string> => {
  screen.type(`${words}\r`);
  return screen.shows(answer);
};
/** A card that was not asked about before, once a person could have read it. */
const askFor = async (name: string): Promise<void> => {
  await tell(`remind me of ${name}`, new RegExp(`job ${name}[^]*${QUESTION}$`));
  await delay(READ_MS);
};

beforeAll(async () => {
  home = await openHome(script);
  home.set(home.modelSettings);
  screen = home.openScreen('npm start');
  await screen.shows('Type a message');
});
afterAll(() => home.close());

describe('a conversation in a terminal', () => {
  it('shows the Markdown of an answer, with one quiet line about it', async () => {
    const shown = await tell('how are the deploys', /rules checked · \$\d+\.\d+ · \d+\.\d s · \/why/);
    expect(shown).toContain(
      [
        'Deploys',
        '',
        'The shop runs 1.2, see the log (https://example.org/log).',
        '',
        '☑ built',
        '☐ checked',
        '',
        'host   state',
        'web-1  up',
      ].join('\n'),
    );
    expect(screen.styled('The shop runs', 'bold')).toBe('shop');
    expect(screen.styled('The shop runs', 'colour')).toBe('1.2');
    expect(screen.styled('rules checked', 'dim')).toMatch(/^custom\/scripted · \d+ rules checked/);
  });

  it('shows what others wrote as characters, never as orders to the terminal', async () => {
    const shown = await tell(
      'what did they write',
      /This waits for your yes:[\s\S]*rules checked[\s\S]*\n\(\d+ wait, \d+ learned\) >$/,
    );
    expect(shown).toContain('Deploys');
  });

  it('asks about a card in its prompt, and one letter answers', async () => {
    await askFor('tea');
    // The figures of a turn leave out how long a person thinks.
    await delay(7_000);
    expect(await tell('y', /Approved: .*tea[\s\S]*rules checked .* \d\.\d s/)).not.toContain('/approve');
    expect(Number(/.*rules checked .* (\S+) s/.exec(screen.text().split('(job tea)').at(-1) ?? '')?.[1])).toBeLessThan(
      7,
    );
    await askFor('plants');
    await tell('n', /Denied|denied/);
    await askFor('walk');
    await tell('s', /Newly possible without a question: schedule-job, exactly as above\.[\s\S]*Approved/);
    await askFor('stretch');
    await tell('l', /set aside; \/approve [0-9a-f]{6}/);
    expect(await home.paste('npx passepartout jobs list')).toMatch(/tea/);
    const waiting = await home.paste('npx passepartout approvals');
    expect(waiting).toContain('stretch');
    expect(waiting).not.toContain('plants');
  });

  it('names the card that a letter decides, shows all of it, and shows the next one again', async () => {
    await askFor('read');
    const cards = await tell('remind me of rest', /\(job rest\)[\s\S]*\n[0-9a-f]{6}: .*>$/);
    const idOf = (name: string): string => new RegExp(`([0-9a-f]{6})  .*\\(job ${name}\\)`).exec(cards)?.[1] ?? name;
    expect(cards).toMatch(new RegExp(`${idOf('read')}: [^\n]*$`));
    expect(await tell('a', /Called: schedule-job[\s\S]*it\? >$/)).toContain('A new job: read');
    await tell('y', new RegExp(`> y\n${idOf('rest')}  .*\\(job rest\\)[^]*Approved: .*\\(job read\\)`));
    await delay(READ_MS);
    await tell('n', /Denied: .*\(job rest\)/);
  });

  it('tells that it works, and that messages wait, until the answer comes', async () => {
    await tell('take your time', /\n\(\d+ wait, \d+ learned\) working … >$/);
    await tell('how are the deploys', /\n\(\d+ wait, \d+ learned\) working, 1 waiting … >$/);
    await screen.shows(/Done at last\.[\s\S]*rules checked[\s\S]*\n\(\d+ wait, \d+ learned\) >$/);
    await askFor('sing');
    await tell('take your time', /\nworking … [0-9a-f]{6}: .*>$/);
    await tell('n', /Denied: .*\(job sing\)/);
    await screen.shows(/\(job sing\)[\s\S]*Done at last\.[\s\S]*\n\(\d+ wait, \d+ learned\) >$/);
  });

  it('takes a letter that was typed before the card came as a message', async () => {
    screen.type('n');
    await delay(100);
    screen.type('ow what?');
    await tell('', 'You said 1 lines');
  });

  it('sends a pasted text and a line that goes on as one message', async () => {
    screen.type('\u001b[200~first line\nsecond line\nthird line\u001b[201~');
    await tell('', 'You said 3 lines');
    screen.type('one \\\r');
    await tell('two', 'You said 2 lines');
  });

  it('takes back a begun line at Ctrl-C, and goes on', async () => {
    screen.type('first half \\\rhalf a line');
    await screen.shows('half a line');
    screen.type('\u0003');
    await screen.shows(/\n\(\d+ wait, \d+ learned\) >$/);
    await tell('how much of it', 'You said 1 lines');
  });

  it('completes commands and the ids of what waits', async () => {
    // What comes within 50 ms of an Enter counts as the rest of a paste.
    await delay(READ_MS);
    screen.type('/appr\t');
    await screen.shows(/> \/approv$/);
    screen.type('\t');
    await screen.shows(/\/approvals +\/approve|\/approve +\/approvals/);
    screen.type('e \t');
    await screen.shows(/> \/approve [0-9a-f]{6}/);
    await tell('', /Approved: .*stretch/);
  });
});

describe('without a command', () => {
  it('the program is the chat, which knows the lines of the chat before, and fits a narrow window', async () => {
    const narrow = home.openScreen('npx passepartout', 40);
    await narrow.shows('>');
    narrow.type('\u001b[A');
    await narrow.shows('> /approve');
    narrow.type('\u0015how are the deploys\r');
    expect(await narrow.shows('rules checked')).toContain('The shop runs 1.2, see the log\n(https://example.org/log).');
    narrow.type('/exit\r');
    await narrow.ends();
    expect(statSync(join(home.folder, '.passepartout', 'chat-history')).mode & 0o777).toBe(0o600);
  });

  it('signals are listed without a broken line in a narrow window', async () => {
    const list = home.openScreen('npx passepartout signals --limit 6', 80);
    await list.ends();
    const lines = list.text().split('\n');
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('older ones'))).toStrictEqual([]);
    expect(list.text()).toMatch(/^\S+ \S+Z {2}acted {10}how are the deploys\n {2}con-[0-9a-f]{40}$/m);
  });

  it('a chat that is opened later asks about a card that still waits', async () => {
    await askFor('swim');
    const later = home.openScreen('npx passepartout');
    await later.shows(new RegExp(`job swim[^]*${QUESTION}$`));
    await delay(READ_MS);
    later.type('n\r');
    await later.shows(/Denied|denied/);
    await screen.shows(/\n\(\d+ wait, \d+ learned\) >$/);
  });

  it('shows whole answers without styles to a screen reader', async () => {
    const plain = home.openScreen('npx passepartout --plain');
    await plain.shows('>');
    plain.type('how are the deploys\r');
    await plain.shows('rules checked');
    expect(plain.styled('The shop runs', 'bold') + plain.styled('The shop runs', 'colour')).toBe('');
  });

  it('is the help where no person or no stack is', async () => {
    expect(await home.paste('npx passepartout')).toContain('usage: npx passepartout <command>');
  });
});

it('Ctrl-C says why it takes a moment, and ends', async () => {
  await tell('never answer', /working … .*>$/);
  screen.type('\u0003');
  await screen.shows('Stopping: what runs has a few seconds.');
  expect(await screen.ends()).toBe(0);
});
