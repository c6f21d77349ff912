/**
 * The web is searched, by the feature's README: two lines of `.env`, `setup` and `doctor` try the
 * service, a question asks first on a card, and its answer names where it is from. Without the
 * lines nothing speaks of a search.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { SEARCH_KEY, startSearchServer } from '../support/search-server.ts';
import { type Home, openHome } from './support/home.ts';
import { telegramPerson } from './support/telegram-person.ts';

const asked: ModelServerRequest[] = [];
const script = (request: ModelServerRequest) => {
  asked.push(request);
  if (!/high water/.test(userTextOf(request))) return say('All is well.');
  const [found] = toolResultsOf(request).map((result) => /https:\/\/tides\S+/.exec(JSON.stringify(result))?.[0]);
  return found === undefined
    ? call('search-web', { query: 'tide table Lisbon', explanation: 'The owner asked for high water.' })
    : say(`At 14:10, says ${found.replace(/\\.*/, '')}`);
};

let home: Home;
let service: Awaited<ReturnType<typeof startSearchServer>>;
beforeAll(async () => {
  service = await startSearchServer('searxng', [
    { title: 'Tides', url: 'https://tides.example/lisbon', snippet: 'High water in Lisbon: 14:10' },
  ]);
  home = await openHome(script);
  home.set({ ...home.modelSettings, ...home.telegramSettings });
});
afterAll(async () => {
  await home.close();
  await service.close();
});

describe('a person who wants the web searched', () => {
  it('hears of no search before a service is set', async () => {
    expect(await home.paste('npx passepartout setup --only search --non-interactive')).toContain(
      'None is set. SEARCH names one.',
    );
  });

  it('is told by setup what the service lacks, then that it answers; no search is made for it', async () => {
    home.set({ SEARCH: service.origin, SEARCH_API_KEY: SEARCH_KEY });
    service.state.givesJson = false;
    const wrong = await home.run('npx passepartout setup --only search --non-interactive');
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('add json to search.formats') });
    service.state.givesJson = true;
    expect(await home.paste('npx passepartout setup --only search --non-interactive')).toContain('is reachable.');
    expect(JSON.stringify(service.asked.map(({ fields }) => fields))).not.toContain('"q"');
  });

  it('asks, says yes to words and service, and reads an answer with its source', async () => {
    const program = await home.start();
    const person = telegramPerson(home.telegram, 7001);
    person.says(/\/pair \S+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
    await person.reads(/paired/i);
    person.says('When is high water in Lisbon?');
    const card = await person.reads(`Ask the SearXNG at ${service.origin} for “tide table Lisbon”`);
    expect(service.asked.filter(({ fields }) => 'q' in fields)).toStrictEqual([]);
    await person.taps(card, 'Approve');
    expect((await person.reads('At 14:10')).text).toContain('https://tides.example/lisbon');
    expect(service.asked.filter(({ fields }) => 'q' in fields)).toMatchObject([{ fields: { q: 'tide table Lisbon' } }]);
    expect(JSON.stringify(asked.at(-1))).toMatch(/outside|untrusted/i);
    const doctor = await home.run('npx passepartout doctor');
    expect(doctor.out).toMatch(/^ok +search +the SearXNG at \S+ is reachable/m);
    for (const text of [program.output(), doctor.out, JSON.stringify(asked), person.screen().join()])
      expect(text).not.toContain(SEARCH_KEY);
  });
});
