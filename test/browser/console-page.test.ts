/**
 * The console page in a real browser against a real store: the token leaves the address, a message
 * is sent and answered, the trace is shown, text from outside stays text, and nothing but this
 * server is ever asked.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildGrant, saveGrant } from '../../lib/core/approvals/grants.ts';
import { STREAM_REQUESTS_HELD_MAX } from '../../lib/core/edge/limits.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { buildPolicyVersion } from '../../lib/core/judge/judge.ts';
import { changeOwnerSetting } from '../../lib/core/ledger/change-owner-setting.ts';
import { stopSession } from '../../lib/core/ledger/session-controls.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import { actionHash, replyAction } from '../../lib/core/signal/action.ts';
import { hasRun, type OccurrenceState } from '../../lib/core/signal/job-run.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { settingKey, signalKeys } from '../../lib/core/store/keys.ts';
import { occurrenceId } from '../../lib/features/jobs/occurrence.ts';
import { loadJob } from '../../lib/features/jobs/read-jobs.ts';
import { beginOccurrence } from '../../lib/features/jobs/write-occurrence.ts';
import { type CliWorld, type Script, startCliWorld } from '../cli/cli-world.ts';
import { APPROVER_TOKEN, SCRIPT_TOKEN, serveConsole, serveControl } from '../core/edge/console/console-server.ts';
import {
  buildApproval,
  buildAttempt,
  buildDecision,
  buildEffect,
  buildSignal,
  judge,
  putApproval,
  putSignal,
  reply,
  SPACE,
  toolCall,
} from '../core/edge/console/stored-fixtures.ts';
import { buildExport, buildWorld, FIRST_KEY, FORGERS_KEY, textOf } from '../core/evidence/export-world.ts';
import { countingTable } from '../core/memory/counting-table.ts';
import { aNote } from '../core/memory/notes.ts';
import { judgeSample } from '../core/stages/sample-evidence.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { launchBrowser } from '../support/browser.ts';
import { someOf, TAKES_MORE } from '../support/sample.ts';

const [DECISIONS, LEAVES_MIN] = TAKES_MORE ? [8_000, 20_000] : [1_000, 2_500];
const EVIDENCE = buildWorld(DECISIONS);
/** If the page's own thread verified, it would have one turn for all of it. */
const TURNS_MIN = TAKES_MORE ? 5 : 1;

/** The one under way when the decision is stored, the next, and one of a timer of before. */
const ASKS_MAX = 3;

const HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";

const TRACE = [
  { gate: 'kill-switch', verdict: 'pass', reason: '' },
  { gate: 'permissions', verdict: 'pass', reason: '' },
  { gate: 'secret-formats', verdict: 'pass', reason: '' },
  { gate: 'network', verdict: 'pass', reason: 'nothing leaves the space' },
] as const;

const answering: Script = ({ signal }) => {
  const text = 'text' in signal.payload ? (signal.payload.text[0]?.text ?? '') : signal.payload.sensor;
  const said = judge(reply(`You said: ${text}`), 'pass', [...TRACE]);
  return {
    state: 'acted',
    decision: buildDecision(signal.id, [said], {
      attempt: buildAttempt(1, [said], { inputTokens: 812, outputTokens: 14 }),
    }),
    effects: [buildEffect(0, said, { settledAt: Date.now() })],
  };
};

const asked = judge(
  {
    ...toolCall('call-webhook', { body: { order: 'tea', note: HOSTILE } }),
    target: 'webhook',
    to: 'shop',
    url: 'https://shop.example/orders',
  },
  'ask',
);

let world: CliWorld;
let browser: Browser;
let page: Page;
let foreign: string[];

const fillStore = async (): Promise<void> => {
  const { table } = world.console.dynamo;
  const now = Date.now();
  const blocked = judge({ ...toolCall('call-webhook', { name: 'evil' }), target: 'webhook', to: 'evil' }, 'block', [
    TRACE[0],
    { gate: 'network', verdict: 'block', reason: 'no webhook of that name is configured' },
  ]);
  const notice = judge(
    reply('I could not do that: what I proposed was refused by the rules.', { author: 'code', template: 'refused' }),
  );
  await table.put(settingKey(SPACE, 'heartbeat'), { schemaVersion: 1, at: now - 4000 });
  await putSignal(table, {
    signal: buildSignal('con-refused', {
      receivedAt: now - 120_000,
      payload: { sensor: 'chat-message', text: [{ text: 'send my diary to evil.example', origin: 'owner' }] },
    }),
    state: 'refused',
    attempts: [buildAttempt(1, [blocked]), buildAttempt(2, [], { problem: 'the answer was not a proposal' })],
    decision: buildDecision('con-refused', [notice], {
      outcome: 'refuse',
      reason: 'three proposals were refused',
      attempt: buildAttempt(3, [blocked]),
      attemptCount: 3,
    }),
    effects: [buildEffect(0, notice)],
  });
  await putSignal(table, {
    signal: buildSignal('wh-shop-1', {
      source: 'shop',
      session: 'wh:shop',
      receivedAt: now - 60_000,
      payload: {
        sensor: 'webhook',
        source: 'shop',
        event: 'order',
        body: {},
        text: [{ text: HOSTILE, origin: 'outside', label: 'webhook body' }],
      },
    }),
    state: 'suspended',
    decision: buildDecision('wh-shop-1', [asked], { attempt: buildAttempt(1, [asked]) }),
    effects: [buildEffect(0, asked, { state: 'suspended' })],
  });
  await putApproval(
    table,
    buildApproval('5a'.repeat(16), asked, { signalId: 'wh-shop-1', createdAt: now, expiresAtMs: now + 3_000_000 }),
  );
  await putControls(table, now);
  const memory = buildMemory(table, SPACE);
  for (const [n, text] of ['my bike is blue', `the shed ${HOSTILE}`].entries())
    await memory.remember(aNote({ text, signalId: `con-${n}`, effectId: `con-${n}#0`, now: now - 5000 + n }));
  const when = { kind: 'every', minutes: 60, from: now + 3_600_000 } as const;
  await makeJob(table, SPACE, sampleJob({ name: 'hourly', when }), now - 1);
};

/** A standing yes and a stopped conversation, as the pipeline stores them. */
const putControls = async (table: CliWorld['console']['dynamo']['table'], now: number): Promise<void> => {
  const wish = { loosen: [], count: 10, hours: 24, coversTaint: false, anySession: false };
  const approval = buildApproval('6b'.repeat(16), asked, { asks: [{ gate: 'permissions', reason: 'it asks' }] });
  const by = { id: 'con-grant', sender: { id: 'console-approver', isApprover: true } };
  const grant = buildGrant(approval, {}, wish, by, now);
  if (typeof grant === 'string') throw new Error(grant);
  await saveGrant(table, grant, now);
  const stop = { because: 'blocks', by: 'wh-shop-1' } as const;
  await stopSession(table, { space: SPACE, session: 'webhook:shop' }, undefined, stop, now - 30_000);
};

/** A decision as the gates in force make it. */
const putJudged = async (table: CliWorld['console']['dynamo']['table']): Promise<void> => {
  const judged = await judgeSample(toolCall('remember', { text: 'my bike is blue', parent: '' }));
  const of = { gateSet: GATE_SET.version, policyVersion: buildPolicyVersion(GATE_SET) };
  const decision = buildDecision('con-judged', [judged], of);
  await putSignal(table, { signal: buildSignal('con-judged', { receivedAt: Date.now() }), state: 'acted', decision });
};

beforeAll(async () => {
  world = await startCliWorld(answering);
  await fillStore();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const open = async (token: string | undefined, look: Parameters<Browser['newPage']>[0] = {}): Promise<void> => {
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...look });
  foreign = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${world.url}/`)) foreign.push(request.url());
  });
  await page.goto(`${world.url}/${token === undefined ? '' : `#token=${token}`}`);
};

afterEach(async () => {
  await page.close();
});

/** Each view, and what shows that it is there. */
const VIEWS = {
  home: { path: '#/home', shows: '#approvals > li' },
  talk: { path: '#/talk', shows: '#conversations a' },
  decisions: { path: '#/decisions', shows: '.decisions a' },
  decision: { path: '#/decisions/con-refused', shows: '#whole .badge' },
  memory: { path: '#/memory', shows: '#notes .piece' },
  jobs: { path: '#/jobs', shows: '.strip .badge' },
  evidence: { path: '#/evidence', shows: '#log dd' },
  manage: { path: '#/manage/jobs', shows: '#verbs .verb .lines' },
  health: { path: '#/health', shows: '#budget .lines' },
};

/** Runs in the page: texts that would be read as German and have words that are English alone. */
const findEnglish = `() => {
  const walker = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement.closest('[lang]').lang === 'de') found.push(node.data);
  for (const element of document.querySelectorAll('[placeholder], [title], [aria-label]'))
    if (element.closest('[lang]').lang === 'de')
      found.push(...['placeholder', 'title', 'aria-label'].map((name) => element.getAttribute(name) ?? ''));
  const english = /\\b(the|is|are|of|and|to|for|it|its|from|with|by|your|yes|no|step|begins|that|this|job|note|call)\\b/i;
  return found.filter((text) => english.test(text));
}`;

/** What axe calls serious or critical, by the rules of WCAG 2.2 AA; with the elements. */
const findBarriers = async (): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};

const focused = () => page.locator(':focus').getAttribute('id');

describe('the console page', () => {
  beforeEach(() => {
    world.console.published.length = 0;
  });

  it('takes the token out of the address and asks nobody but this server', async () => {
    await open(APPROVER_TOKEN);
    await page.getByText('send my diary').first().waitFor();
    expect(page.url()).toBe(`${world.url}/`);
    expect(await page.content()).not.toContain(APPROVER_TOKEN);
    expect(foreign).toStrictEqual([]);
  });

  it('asks for a token when there is none, and takes one', async () => {
    await open(undefined);
    await page.getByLabel("Approver's token").fill(APPROVER_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('send my diary').first().waitFor();
    expect(await page.getByLabel("Approver's token").isVisible()).toBe(false);
    expect(await focused()).toBe('text');
  });

  it('says that it loads until its script is there, and asks for the script once', async () => {
    const context = await browser.newContext();
    page = await context.newPage();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/page/*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${world.url}/`, { waitUntil: 'commit' });
    await page.getByText('Passepartout is loading').waitFor();
    release();
    await page.getByLabel("Approver's token").waitFor();
    expect(await page.locator('#loading').count()).toBe(0);
    await page.unrouteAll();
    const served: [string, number, boolean][] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/' || pathname.startsWith('/page/'))
        served.push([
          pathname.replace(/\w+\.js/, ''),
          response.status(),
          response.headers()['content-encoding'] === 'br',
        ]);
    });
    await page.goto(`${world.url}/#/health`);
    await page.reload();
    await page.getByLabel("Approver's token").waitFor();
    // A browser that has the document asks whether it is still the same.
    expect(served.filter(([path]) => path === '/page/').every(([, status]) => status === 200)).toBe(true);
    expect(
      await page.evaluate<number>(
        "performance.getEntriesByType('resource').find(({ name }) => name.includes('/page/')).transferSize",
      ),
    ).toBe(0);
    await context.close();
  });

  it('loads itself again if its script is that of another release', async () => {
    page = await browser.newPage();
    let asks = 0;
    await page.route('**/page/*.js', (route) => {
      asks += 1;
      return asks === 1 ? route.fulfill({ status: 404, body: '{}' }) : route.continue();
    });
    await page.goto(`${world.url}/`);
    await page.getByLabel("Approver's token").waitFor();
    expect(asks).toBe(2);
  });

  it('has a button to sign in of one line', async () => {
    await open(undefined);
    const box = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
    expect(box?.height).toBeLessThan(45);
  });

  it('stays signed in for 30 days if asked, until somebody signs out in any tab', async () => {
    const context = await browser.newContext();
    const openTab = async () => {
      page = await context.newPage();
      await page.goto(`${world.url}/`);
      return page;
    };
    const form = (tab: Page) => tab.getByLabel("Approver's token");
    const signIn = async (tab: Page) => {
      await form(tab).fill(APPROVER_TOKEN);
      await tab.getByLabel('Stay signed in').check();
      await tab.getByRole('button', { name: 'Sign in' }).click();
    };
    const first = await openTab();
    await signIn(first);
    await first.getByText('send my diary').first().waitFor();
    const second = await openTab();
    await second.getByText('send my diary').first().waitFor();
    await first.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [first, second]) await form(tab).waitFor();
    const kept = await first.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain(APPROVER_TOKEN);
    await signIn(second);
    await second.getByText('send my diary').first().waitFor();
    await context.clock.setFixedTime(Date.now() + 31 * 86_400_000);
    const late = await openTab();
    await form(late).waitFor();
    expect(await late.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(APPROVER_TOKEN);
    await context.close();
  });

  it('says that the token is wrong until another one is given', async () => {
    page = await browser.newPage();
    await page.goto(`${world.url}/#token=wrong`);
    const sentence = 'The server does not know this token. Copy all of it again.';
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
    // The looks without a token go on, and go well.
    await page.locator('#status', { hasText: /healthy|degraded/ }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe(sentence);
    await page.getByLabel("Approver's token").fill(`see ${world.url}/#token=${APPROVER_TOKEN}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('send my diary').first().waitFor();
    expect(await page.getByRole('alert').isVisible()).toBe(false);
  });

  it('takes a link to sign in that is pasted into an open tab, and out of its address', async () => {
    await open(undefined);
    await page.getByLabel("Approver's token").waitFor();
    await page.evaluate(`location.href = '/#token=${APPROVER_TOKEN}'`);
    await page.getByText('send my diary').first().waitFor();
    expect(page.url()).toBe(`${world.url}/`);
    await page.goBack();
    expect(await page.content()).not.toContain(APPROVER_TOKEN);
  });

  const damages = [
    ['no JSON', '{"key":'],
    ['another shape', '{"key":1,"anchor":[],"leaves":"many","at":null}'],
    ['a list', '[1,2]'],
    ['nothing', 'null'],
    ['a text', '"soon"'],
  ] as const;
  it.each(someOf('damages', damages, 2))(
    'opens though what the browser kept is damaged: %s; says so, and keeps anew',
    async (_, damaged) => {
      await open(APPROVER_TOKEN);
      await page.locator('#newest li').first().waitFor();
      await page.evaluate(
        `for (const name of ['evidence', 'seen']) localStorage.setItem('passepartout-' + name, ${JSON.stringify(damaged)});
       sessionStorage.setItem('passepartout-aside', ${JSON.stringify(damaged)})`,
      );
      await page.reload();
      for (const loss of ['The key and the checkpoint', 'The list of what you set aside', 'The moment up to which'])
        await page.getByRole('status').filter({ hasText: loss }).waitFor();
      await page.getByRole('link', { name: 'Evidence' }).click();
      await page.locator('#verify').getByRole('button', { name: 'Verify now' }).waitFor();
      await page.reload();
      await page.locator('#verify').waitFor();
      expect(await page.locator('.problem:visible').allInnerTexts()).toStrictEqual([]);
    },
  );

  it.each(someOf('addresses', ['decisions/%zz', 'memory/%E0%A4', 'constructor', '__proto__/x', 'talk/%'], 2))(
    'opens at an address that names nothing: #/%s',
    async (address) => {
      await open(APPROVER_TOKEN);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(`${world.url}/#/${address}`);
      await page.reload();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.locator('#newest li').first().waitFor();
      expect(errors).toStrictEqual([]);
    },
  );

  it('sends a message, shows the reply, and shows the decision with its trace', async () => {
    await open(APPROVER_TOKEN);
    // A second key before the server has answered sends nothing more.
    await page.route('**/api/messages', async (route) => {
      await page.waitForTimeout(100);
      await route.continue();
    });
    await page.getByLabel('Message').fill('good morning');
    for (let n = 0; n < 2; n += 1) await page.getByLabel('Message').press('Enter');
    await page.locator('.theirs', { hasText: 'You said: good morning' }).waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('');
    await page.locator('.turn', { hasText: 'good morning' }).getByText('demo/scripted · 4 rules checked').click();
    const whole = page.locator('#whole');
    await whole.getByText('Attempt 1 · demo scripted · 812 + 14 tokens').waitFor();
    expect(await whole.locator('.trace li', { hasText: 'network' }).first().textContent()).toBe(
      'passnetwork – nothing leaves the space',
    );
    expect(await whole.getByText('3 of 4 gates passed').count()).toBe(3);
    expect(await whole.locator('.effect').textContent()).toBe('doneEffect 0 · consoleReceipt');
    expect(await page.locator('#time tbody tr').allTextContents()).toStrictEqual([
      expect.stringMatching(/^queues and Perceive.*in a queue$/),
      expect.stringMatching(/^attempt 1 \(demo scripted\) and its gates.*at work$/),
    ]);
    expect(world.console.published).toHaveLength(1);
  });

  it('shows an answer while it is written, as text, until the reply takes its place', async () => {
    const { table } = world.console.dynamo;
    const signal = buildSignal('con-writing', { receivedAt: Date.now() });
    const pieces = [`The page ${HOSTILE} is`, ' long'];
    const putChunk = (n: number): Promise<void> => {
      const prefix = pieces.slice(0, n + 1).join('');
      return table.put(signalKeys.draft(SPACE, signal.id, 1, n), {
        schemaVersion: 1,
        attempt: 1,
        n,
        text: pieces[n],
        chars: prefix.length,
        hash: actionHash(replyAction(prefix, signal.reply)),
        trace: JSON.stringify(TRACE),
        gateSet: 'g',
        at: Date.now(),
        expiresAt: Math.ceil(Date.now() / 1000) + 3600,
      });
    };
    await putSignal(table, { signal, state: 'perceived' });
    await putChunk(0);
    await open(APPROVER_TOKEN);
    await page.locator('.draft', { hasText: `The page ${HOSTILE} is` }).waitFor();
    await putChunk(1);
    await page.locator('.draft', { hasText: `${pieces.join('')}` }).waitFor();
    expect(await page.title()).toMatch(/^(\(\d\) )?Passepartout$/);
    const said = judge(reply('The page is long, and it is whole.'));
    const decision = buildDecision(signal.id, [said]);
    await putSignal(table, {
      signal,
      state: 'acted',
      decision,
      effects: [buildEffect(0, said, { settledAt: Date.now() })],
    });
    await page.locator('.theirs', { hasText: 'The page is long, and it is whole.' }).waitFor();
    expect(await page.locator('.draft').count()).toBe(0);
  });

  it('shows the newest answer of a turn while it is written, below the replies before it', async () => {
    const { table } = world.console.dynamo;
    const root = buildSignal('con-turning', { receivedAt: Date.now() });
    const child = buildSignal('con-turning/1', { payload: { sensor: 'tool-output', results: [] } });
    const putChunk = (id: string, text: string): Promise<void> =>
      table.put(signalKeys.draft(SPACE, id, 1, 0), {
        schemaVersion: 1,
        attempt: 1,
        n: 0,
        text,
        chars: text.length,
        hash: actionHash(replyAction(text, root.reply)),
        trace: JSON.stringify(TRACE),
        gateSet: 'g',
        at: Date.now(),
        expiresAt: Math.ceil(Date.now() / 1000) + 3600,
      });
    const done = async (signal: Signal, text: string, children?: readonly string[]): Promise<void> => {
      const judged = judge(reply(text));
      await putSignal(table, {
        signal,
        state: 'acted',
        ...(children === undefined ? {} : { children }),
        decision: buildDecision(signal.id, [judged]),
        effects: [buildEffect(0, judged, { settledAt: Date.now() })],
      });
    };
    await putSignal(table, { signal: root, state: 'perceived' });
    await putChunk(root.id, 'Let me look into');
    await open(APPROVER_TOKEN);
    const turn = page.locator('.turn', { has: page.locator('.draft, .theirs', { hasText: 'Let me look into' }) });
    await turn.locator('.draft').waitFor();
    await putSignal(table, { signal: child, state: 'perceived' });
    await done(root, 'Let me look into the notes.', [child.id]);
    await putChunk(child.id, 'The shed is');
    await turn.locator('.draft', { hasText: 'The shed is' }).waitFor();
    expect(await turn.locator('.theirs').allTextContents()).toStrictEqual([
      'Let me look into the notes.',
      'The shed is',
    ]);
    await done(child, 'The shed is behind the house.');
    await turn.locator('.theirs', { hasText: 'The shed is behind the house.' }).waitFor();
    expect(await turn.locator('.theirs').allTextContents()).toStrictEqual([
      'Let me look into the notes.',
      'The shed is behind the house.',
    ]);
    expect(await page.locator('.draft').count()).toBe(0);
  });

  it('asks for no stream again that gave way, and shows the reply when it comes', async () => {
    const { table } = world.console.dynamo;
    const signal = buildSignal('con-crowded', { receivedAt: Date.now() });
    const held = Array.from({ length: STREAM_REQUESTS_HELD_MAX }, (_, n) => [`held${n}`, Date.now() + 600_000]);
    await table.put(settingKey(SPACE, 'streams'), { schemaVersion: 1, ...Object.fromEntries(held) });
    await putSignal(table, { signal, state: 'perceived' });
    await open(APPROVER_TOKEN);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const looks = (path: string): number => asked.filter((one) => one === path).length;
    await expect.poll(() => looks('/api/signals/con-crowded')).toBeGreaterThan(3);
    expect(looks('/api/signals/con-crowded/stream')).toBeLessThanOrEqual(1);
    await table.put(settingKey(SPACE, 'streams'), { schemaVersion: 1 });
    const said = judge(reply('There was a crowd.'));
    const decision = buildDecision(signal.id, [said]);
    const effects = [buildEffect(0, said, { settledAt: Date.now() })];
    await putSignal(table, { signal, state: 'acted', decision, effects });
    await page.locator('.theirs', { hasText: 'There was a crowd.' }).waitFor();
  });

  it('shows what waits as a sentence, and all of it behind one tap', async () => {
    await open(APPROVER_TOKEN);
    const waiting = page.locator('#approvals > li').first();
    expect(await waiting.locator('.sentence').textContent()).toMatch(/^Call the webhook shop: note “<img/);
    const bytes = waiting.getByText('Address: https://shop.example/orders');
    expect(await bytes.isVisible()).toBe(false);
    await waiting.getByText('Details').click();
    await bytes.waitFor();
    expect(await waiting.getByText('With: {"body":{"note":').isVisible()).toBe(true);
  });

  it('finds decisions behind hundreds of later steps, and fails no request for an icon', async () => {
    const { table } = world.console.dynamo;
    const root = buildSignal('con-busy', { receivedAt: Date.now() - 100_000 });
    const steps = Array.from({ length: 120 }, (_, n) => `con-busy/${n}`);
    const payload: Signal['payload'] = { sensor: 'tool-output', results: [] };
    await putSignal(table, { signal: root, state: 'acted' });
    for (const id of steps)
      await putSignal(table, { signal: buildSignal(id, { payload, receivedAt: Date.now() }), state: 'acted' });
    const failed: string[] = [];
    page = await browser.newPage();
    page.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
    page.on('console', (message) => message.type() === 'error' && failed.push(message.text()));
    await page.goto(`${world.url}/#token=${APPROVER_TOKEN}`);
    await page.locator('.turn').first().waitFor();
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.locator('.decisions > li', { hasText: 'send my diary' }).waitFor();
    expect(failed).toStrictEqual([]);
    await page.getByRole('link', { name: 'Talk' }).click();
    const focusTurns = async () => {
      await page.locator('#turns').focus();
      return page.locator('#turns:focus').count();
    };
    // The view has the focus first, a moment after it is there.
    await expect.poll(focusTurns).toBe(1);
  });

  it('shows refusals with the gate and its reason', async () => {
    await open(APPROVER_TOKEN);
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.locator('.decisions a', { hasText: 'send my diary' }).click();
    const whole = page.locator('#whole');
    await whole.getByText('no webhook of that name is configured').first().waitFor();
    expect(await whole.locator('.badge.block').first().textContent()).toBe('block');
    expect(await whole.getByText('the answer was not a proposal').count()).toBe(1);
    expect(await page.locator('#why .lines li').first().textContent()).toMatch(/^Nothing was done: the rules refused/);
  });

  it('shows the Markdown of an answer, and what stands in it as text', async () => {
    await open(APPROVER_TOKEN);
    await page.getByLabel('Message').fill(`**bold** and \`code ${HOSTILE}\``);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.theirs strong', { hasText: /^bold$/ }).waitFor();
    expect(await page.locator('.theirs code').last().textContent()).toBe(`code ${HOSTILE}`);
    await page.getByLabel('Message').fill('one\n\n```\ntwo\n```\n\nthree');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.theirs pre', { hasText: 'two' }).waitFor();
    expect(await page.locator('.theirs').last().textContent()).toBe('You said: onetwothree');
  });

  it('keeps text from outside text', async () => {
    await open(APPROVER_TOKEN);
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.locator('.decisions a[href="#/decisions/wh-shop-1"]').click();
    await page.locator('.piece.outside pre', { hasText: 'onerror' }).waitFor();
    expect(await page.locator('.piece.outside').textContent()).toMatch(/^from outside: not trusted \(webhook body\)/);
    await page.getByRole('link', { name: /^Home/ }).click();
    await page.getByLabel('Message').fill(HOSTILE);
    await page.getByRole('button', { name: 'Send' }).click();
    // The test before wrote the same text inside code, so this one is told by its first character.
    await page.locator('.theirs', { hasText: `You said: ${HOSTILE.slice(0, 4)}` }).waitFor();
    expect(await page.title()).toMatch(/^(\(\d\) )?Passepartout$/);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  it('spells out characters that hide or turn round what a person reads, wherever they stand', async () => {
    await open(APPROVER_TOKEN);
    const text = 'pay \u202e05 rue\u200b';
    await page.getByLabel('Message').fill(text);
    await page.getByLabel('Message').press('Enter');
    const spelled = 'pay \\u{202e}05 rue\\u{200b}';
    await page.locator('.theirs', { hasText: `You said: ${spelled}` }).waitFor();
    // While it runs it stands in two lists.
    await page.locator('.decisions a', { hasText: spelled }).first().click();
    await page.locator('#whole .piece', { hasText: spelled }).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/[\u202e\u200b]/);
  });

  it('says how one decision differs from another', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/decisions/con-refused`);
    await page.getByLabel('The other one').selectOption('wh-shop-1');
    const row = (path: string) => page.locator('.differences tr', { hasText: path }).first().allInnerTexts();
    const [first] = await page.locator('#in-words li').allInnerTexts();
    expect(first).toBe('It ended as “refused” here, and as “waits for you” there.');
    await page.locator('#compare summary').click();
    await page.locator('.differences tr', { hasText: 'outcome' }).waitFor();
    expect(await row('outcome')).toStrictEqual([expect.stringMatching(/^outcome\s+refuse\s+act$/)]);
    expect(await row('attempts.0.problem')).toStrictEqual([]);
    await page.getByLabel('The other one').selectOption('');
    expect(await page.locator('.differences').count()).toBe(0);
  });

  it('searches decisions, filters them, counts them by state, and shows all again', async () => {
    const { table } = world.console.dynamo;
    const event = (id: string, words: string): Signal => ({
      ...buildSignal(id, { source: 'github', session: 'webhook:github', receivedAt: Date.now() }),
      payload: {
        ...{ sensor: 'webhook', source: 'github', event: 'push', body: {} },
        text: [{ text: words, origin: 'outside' }],
      },
    });
    const record = { stateReason: 'no job waits for it' };
    await putSignal(table, { signal: event('wh-git-1', 'pushed to kiwi'), state: 'dropped', record });
    await putSignal(table, { signal: event('wh-git-2', 'pushed to plum'), state: 'acted' });
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/decisions`);
    const rows = page.locator('#last .decisions li');
    await rows.filter({ hasText: 'send my diary' }).waitFor();
    await page.locator('.filters summary').click();
    await page.getByLabel('Came from').selectOption('github');
    await expect.poll(() => rows.count()).toBe(2);
    const counts = page.getByRole('group', { name: 'By state' }).getByRole('button');
    expect((await counts.allInnerTexts()).sort()).toStrictEqual(['done: 1', 'recorded: 1']);
    await counts.filter({ hasText: 'recorded' }).click();
    await expect.poll(() => rows.allInnerTexts()).toStrictEqual([expect.stringContaining('pushed to kiwi')]);
    await page.getByRole('button', { name: 'Show all again' }).click();
    await page.getByLabel('Search decisions').fill('PLUM');
    await page.getByLabel('Search decisions').press('Enter');
    await expect.poll(() => rows.allInnerTexts()).toStrictEqual([expect.stringContaining('pushed to plum')]);
  });

  it('makes a form of each verb, and shows what became of it', async () => {
    await open(APPROVER_TOKEN);
    await page.getByRole('link', { name: 'Manage' }).click();
    await page.locator('#nouns summary').click();
    await page.locator('#nouns a', { hasText: 'identity' }).click();
    await page.locator('.verb .lines', { hasText: 'Name: Passepartout' }).waitFor();
    const verb = page.locator('.verb', { hasText: 'identity name' });
    await verb.locator('summary').click();
    await verb.getByLabel('text').fill('Jean');
    await verb.getByRole('button', { name: 'Do it' }).click();
    await verb.getByText('You said: command').waitFor();
    const [item] = await world.console.dynamo.table.load(
      world.console.published.map(({ message }) => signalKeys.record(SPACE, message.signalId)),
    );
    const { payload } = JSON.parse(String(item?.signal));
    expect(payload).toStrictEqual({ sensor: 'command', name: 'identity', rest: 'name {"text":"Jean"}' });
    await verb.getByRole('link', { name: 'Its decision' }).click();
    await page.locator('#why', { hasText: 'done' }).waitFor();
    expect(await page.locator('main:focus').count()).toBe(1);
  });

  it('offers what to say where nothing was said yet', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/talk/console%3Afresh`);
    const example = page.locator('#say').getByRole('button', { name: 'remember that my bike is blue' });
    await example.press('Enter');
    expect(await page.getByLabel('Message').inputValue()).toBe('remember that my bike is blue');
    expect(await focused()).toBe('text');
    expect(await example.count()).toBe(0);
  });

  it('judges a decision again, and says which actions another policy would flip', async () => {
    await putJudged(world.console.dynamo.table);
    await open(SCRIPT_TOKEN);
    await page.goto(`${world.url}/#/decisions/con-judged`);
    const again = page.locator('#again');
    await again.getByRole('button', { name: 'Replay' }).click();
    await again.getByText('1 judgement came out the same to the last byte.').waitFor();
    const policy = again.getByLabel('A policy, in Cedar');
    await policy.fill('@id("quiet") forbid(principal, action == Action::"remember", resource);');
    await again.getByRole('button', { name: 'What would flip' }).click();
    await again.getByText('1 action of the model tried: 1 would come out otherwise.').waitFor();
    await again.getByText(/^action 0: pass becomes block: .*quiet/).waitFor();
    await policy.fill('forbid(');
    await again.getByRole('button', { name: 'What would flip' }).click();
    await page.locator('#problem', { hasText: 'the policy is not usable: line 1, column 8' }).waitFor();
  });

  it('says with which versions it was decided', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/decisions/con-refused`);
    await page.locator('#why .sentence', { hasText: 'send my diary to evil.example' }).waitFor();
    await page.getByText('Decided with 0 notes').click();
    expect(await page.locator('#whole .facts').innerText()).toMatch(/^Gates\n\w+\nPolicy\np{12}$/);
  });

  it('lets only an approver decide (I5)', async () => {
    await open(SCRIPT_TOKEN);
    await page.getByText('Deciding needs the token of an approver.').waitFor();
    for (const name of ['Approve', 'Stop', 'Resume', 'Send', 'Later'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('link', { name: 'Health', exact: true }).click();
    await page.getByText('of a script: nothing can be changed here').waitFor();
    await page.getByRole('link', { name: 'Manage' }).click();
    await page.locator('#verbs .verb').first().waitFor();
    expect(await page.getByRole('button', { name: 'Do it' }).count()).toBe(0);
    await page.close();
    await open(APPROVER_TOKEN);
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await expect.poll(focused).toBe('approvals');
    await expect
      .poll(() => world.console.published.map(({ message }) => message.signalId))
      .toStrictEqual(['con-approval-8b4ed76aac5ba5c555bbf28f-approve']);
  });

  it('lets an approver allow similar ones, after saying what that means', async () => {
    await open(APPROVER_TOKEN);
    const waiting = page.locator('#approvals > li').first();
    const allow = waiting.getByRole('button', { name: 'Allow similar', exact: true });
    expect(await allow.isVisible()).toBe(false);
    await waiting.getByRole('button', { name: 'Allow similar…' }).click();
    await waiting.getByText(/lets this very action pass in .* 10 more times within 24 h without asking/).waitFor();
    await allow.click();
    await expect
      .poll(() => world.console.published.map(({ message }) => message.signalId))
      .toStrictEqual([expect.stringMatching(/^con-approval-[0-9a-f]{24}-allow-similar$/)]);
  });

  it('lists what is allowed and which conversations are stopped; only an approver changes them', async () => {
    await open(SCRIPT_TOKEN);
    await page.locator('#grants li', { hasText: 'used 0 of 10' }).waitFor();
    await page.locator('#stopped li', { hasText: 'webhook:shop' }).getByText('Resuming needs').waitFor();
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    await page.close();
    await open(APPROVER_TOKEN);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.locator('#stopped').getByRole('button', { name: 'Resume' }).click();
    const payloads = async () => {
      const ids = world.console.published.map(({ message }) => message.signalId);
      const items = await world.console.dynamo.table.load(ids.map((id) => signalKeys.record(SPACE, id)));
      return items.map((item) => JSON.parse(String(item?.signal)).payload);
    };
    await expect.poll(payloads).toStrictEqual([
      { sensor: 'command', name: 'revoke', rest: expect.stringMatching(/^\{"grant":"[0-9a-f]{12}"\}$/) },
      { sensor: 'resume', session: 'webhook:shop' },
    ]);
  });

  it('is used by the keyboard alone: sign in, talk, approve, compare', async () => {
    await open(undefined);
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Goes on with Tab until this has the focus. */
    const reach = async (name: string, not = '\n'): Promise<void> => {
      for (let n = 0; n < 60; n += 1) {
        await press('Tab');
        const label = await page.evaluate<string>(
          'document.activeElement.getAttribute("aria-label") || document.activeElement.id || document.activeElement.textContent',
        );
        if (label.startsWith(name) && !label.startsWith(not)) return;
      }
      throw new Error(`Tab does not reach ${name}`);
    };
    await reach('token');
    await page.keyboard.type(APPROVER_TOKEN);
    await press('Enter');
    await expect.poll(focused).toBe('text');
    await page.keyboard.type('hello by keys');
    await press('Enter');
    await page.locator('.theirs', { hasText: 'You said: hello by keys' }).waitFor();
    await reach('Approve');
    const decided = page.waitForRequest(/\/api\/approvals\/[0-9a-f]{32}$/);
    await press('Enter');
    expect((await decided).postDataJSON()).toStrictEqual({ decision: 'approve' });
    await reach('Decisions');
    await press('Enter');
    await page.locator('#last .decisions a').first().waitFor();
    // Not the count of them, which filters.
    await reach('done', 'done:');
    await press('Enter');
    await page.locator('#compare').waitFor();
    await reach('other');
    await press('ArrowDown', 'Enter');
    await expect.poll(() => page.locator('#compare').textContent()).toMatch(/WhatHereThere|Nothing differs/);
  });

  it('verifies a file in the browser, while the page goes on, and names what was changed', async () => {
    const { lines, world: made } = { lines: [...buildExport(EVIDENCE).lines], world: EVIDENCE };
    expect(made.leaves.length).toBeGreaterThanOrEqual(LEAVES_MIN);
    const folder = mkdtempSync(join(tmpdir(), 'passepartout-evidence-'));
    const write = (name: string, all: readonly string[]): string => {
      writeFileSync(join(folder, name), all.map((line) => `${line}\n`).join(''));
      return join(folder, name);
    };
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/evidence`);
    await page.getByLabel('Key of the log').fill(textOf(FIRST_KEY));
    const result = page.locator('#verify [role=status]');
    // Turns of the page's own loop while the file is verified: seconds of work would leave it none.
    await page.evaluate('window.turns = 0; setInterval(() => { window.turns += 1; }, 20)');
    await page.getByLabel('An export or a receipt').setInputFiles(write('all.jsonl', lines));
    await result.locator('.badge', { hasText: 'verified' }).waitFor();
    expect(await page.evaluate<number>('window.turns')).toBeGreaterThan(TURNS_MIN);
    const at = lines.findIndex((line) => line.includes('"kind":"decision"'));
    const changed = lines.with(at, (lines[at] ?? '').replace(/"outcome":"(\w)/, '"outcome":"x$1'));
    await page.getByLabel('An export or a receipt').setInputFiles(write('changed.jsonl', changed));
    await result.locator('.badge', { hasText: 'WRONG' }).waitFor();
    expect(await result.locator('.lines').innerText()).toMatch(/^decision /);
    await page.getByLabel('An export or a receipt').setInputFiles(write('cut.jsonl', lines.slice(0, -1)));
    await result.locator('.badge', { hasText: 'cut off' }).waitFor();
    await page.getByLabel('Key of the log').fill(textOf(FORGERS_KEY));
    await page.getByLabel('An export or a receipt').setInputFiles(write('again.jsonl', lines));
    await result.locator('.badge', { hasText: 'WRONG' }).waitFor();
    await page.getByLabel('An export or a receipt').setInputFiles(write('letter.txt', ['Dear Sir,', 'good bye']));
    await result.getByText('neither an export of evidence nor a receipt').waitFor();
    expect(await result.locator('.badge').count()).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it('says in German what is wrong with a file, in words that it fetches only then', async () => {
    const asked: string[] = [];
    const lines = [...buildExport(EVIDENCE).lines];
    const at = lines.findIndex((line) => line.startsWith('{"type":"checkpoint"'));
    const forged = lines.with(at, (lines[at] ?? '').replace(/(— \S+ \S{12})\S/, '$1-'));
    const file = { name: 'forged.jsonl', mimeType: 'text/plain', buffer: Buffer.from(forged.join('\n')) };
    const english = /^checkpoint .*: a note has a malformed signature line$/;
    for (const [locale, label, fault, isThere] of [
      ['en-GB', 'An export or a receipt', english, true],
      ['de-DE', 'Ein Export oder ein Beleg', /^Prüfpunkt .*: eine Zeile mit Unterschrift hat eine falsche Form$/, true],
      ['de-DE', 'Ein Export oder ein Beleg', english, false],
    ] as const) {
      await open(APPROVER_TOKEN, { locale });
      if (!isThere)
        await page.context().route('**/page/german.json', (route) => route.fulfill({ status: 404, body: '' }));
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${world.url}/#/evidence`);
      await page.getByLabel(label).setInputFiles(file);
      await page.locator('#verify [role=status] .lines').waitFor();
      expect(await page.locator('#verify [role=status] .lines').innerText()).toMatch(fault);
      expect(asked.includes('/page/german.json')).toBe(locale === 'de-DE');
      expect(foreign).toStrictEqual([]);
      if (isThere) await page.close();
    }
  });

  it('shows notes, finds them, and what memory was before beside now, with the way back', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/memory`);
    await page.locator('#notes .piece', { hasText: `the shed ${HOSTILE}` }).waitFor();
    await page.getByLabel('Search').fill('bike');
    await page.getByRole('button', { name: 'Find' }).click();
    const found = page.locator('#notes [role=status] a');
    await found.waitFor();
    expect(await found.allInnerTexts()).toStrictEqual(['my bike is blue']);
    await page.getByText('Now, commit 2').waitFor();
    await page.getByRole('slider').press('ArrowLeft');
    await page.locator('#earlier label', { hasText: /Commit 1 of 2 .*\d:\d\d/ }).waitFor();
    expect(await page.locator('#earlier .ends span').allInnerTexts()).toHaveLength(2);
    await page.locator('#difference', { hasText: 'From commit 1 to 2: 1 object changed.' }).waitFor();
    await page.getByRole('button', { name: 'Go back to commit 1' }).click();
    await page.locator('#earlier', { hasText: 'You said: command' }).waitFor();
    const item = await world.console.dynamo.table.load(
      world.console.published.map(({ message }) => signalKeys.record(SPACE, message.signalId)),
    );
    expect(JSON.parse(String(item[0]?.signal)).payload).toStrictEqual({
      ...{ sensor: 'command', name: 'rollback', rest: '{"to":"1"}' },
    });
    await found.click();
    await page.locator('#note', { hasText: 'version 1' }).waitFor();
    await page.locator('#seen', { hasText: '0 decisions of the last days.' }).waitFor();
    await page.locator('#versions', { hasText: 'not in the log yet' }).waitFor();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByRole('button', { name: 'Yes, forget it' }).waitFor();
  });

  it('shows when a job runs next, and pauses it', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/jobs`);
    // The strip below says when it runs next, and the title its name.
    expect(await page.locator('#job-hourly > p').innerText()).toMatch(/^every 1 h from/);
    await page.locator('#job-hourly .strip', { hasText: /It has not been due yet.*next.*, in \d+ (min|h)/s }).waitFor();
    await page.locator('#job-hourly').getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => world.console.published.length).toBe(1);
  });

  /** The words of the commands that the page sent. */
  const payloads = async () => {
    const keys = world.console.published.map(({ message }) => signalKeys.record(SPACE, message.signalId));
    const items = await world.console.dynamo.table.load(keys);
    return items.map((item) => JSON.parse(String(item?.signal)).payload.rest);
  };

  it('makes a job by a form, and sends of a change only what was changed', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/jobs`);
    const form = page.locator('#make-job');
    await form.getByLabel('Its name').fill('Drink tea');
    await form.getByLabel('Runs', { exact: true }).selectOption('on an event of a service');
    await form.getByLabel('When exactly').fill('github/push');
    await form.getByLabel('Its words', { exact: true }).fill('there was a push');
    await form.getByRole('button', { name: 'Make it' }).click();
    await form.getByText('You said: command').waitFor();
    await form.getByLabel('Which job').selectOption('hourly');
    expect(await form.getByLabel('When exactly').inputValue()).toBe('60m');
    await form.getByLabel('When exactly').fill('2h');
    await form.getByRole('button', { name: 'Change it' }).click();
    await expect
      .poll(payloads)
      .toStrictEqual([
        'add {"name":"drink-tea","event":"github/push","steps":[{"say":"there was a push"}],"to":["console:main"]}',
        'edit {"name":"hourly","every":"2h"}',
      ]);
  });

  it('makes and changes by forms what a webhook is told, and the name of a place', async () => {
    const by = { space: SPACE, sender: { id: 'console', isApprover: true }, receivedAt: 1 };
    const { table } = world.console.dynamo;
    await changeOwnerSetting(table, { ...by, id: 'con-s1' }, 'hook.shop', 'job.missed');
    await changeOwnerSetting(table, { ...by, id: 'con-s2' }, 'chat.mum', '42,webhook:shop');
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/manage/hooks`);
    const hooks = page.locator('#own-hooks');
    await hooks.getByLabel('Which webhook').selectOption('shop');
    expect(await hooks.getByRole('checkbox', { checked: true }).count()).toBe(1);
    expect(await findBarriers()).toStrictEqual([]);
    await hooks.getByLabel('effect.failed').check();
    await hooks.getByRole('button', { name: 'Save' }).click();
    await hooks.getByText('You said: command').waitFor();
    for (const news of ['effect.failed', 'job.missed']) await hooks.getByLabel(news).uncheck();
    await hooks.getByRole('button', { name: 'Save' }).click();
    await expect.poll(payloads).toHaveLength(2);
    await page.goto(`${world.url}/#/manage/chats`);
    const places = page.locator('#own-places');
    await places.getByLabel('Which place').selectOption('mum');
    expect(await findBarriers()).toStrictEqual([]);
    expect(await places.getByLabel('Its chats or webhooks').inputValue()).toBe('42,shop');
    await places.getByLabel('Its chats or webhooks').fill('43');
    await places.getByRole('button', { name: 'Save' }).click();
    await places.getByText('You said: command').waitFor();
    await places.getByLabel('Which place').selectOption('a new one');
    await places.getByLabel('Its name').fill('dad');
    await places.getByLabel('Its chats or webhooks').fill('44');
    await places.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(payloads)
      .toStrictEqual([
        'subscribe {"target":"shop","news":"effect.failed,job.missed"}',
        'unsubscribe {"target":"shop"}',
        'name {"chat":"43","name":"mum"}',
        'name {"chat":"44","name":"dad"}',
      ]);
  });

  it('offers what exists in the forms of commands, and folds what belongs to the program', async () => {
    const { table } = world.console.dynamo;
    const when = { kind: 'every', minutes: 60, from: Date.now() + 3_600_000 } as const;
    await makeJob(table, SPACE, sampleJob({ name: 'scribe-hourly', when }), Date.now());
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/jobs`);
    await page.locator('#built-in summary', { hasText: '1 job of the program itself' }).waitFor();
    expect(await page.locator('#job-scribe-hourly').isVisible()).toBe(false);
    const choices = (list: string) =>
      page.locator(`[id="${list}"] option`).evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    await page.goto(`${world.url}/#/manage/jobs`);
    await page.locator('.verb', { hasText: 'jobs pause' }).locator('summary').click();
    await expect.poll(() => choices('/api/jobs/pause/name/list')).toStrictEqual(['hourly']);
    await page.goto(`${world.url}/#/manage/runbook`);
    await expect.poll(() => choices('start-runbook/list')).toContain('deploy-gate');
    await page.getByLabel('Which runbook').fill('deploy-gate');
    await page.locator('#start').getByLabel('service').waitFor();
  });

  it('can be installed as an app, by a manifest that is named by its content', async () => {
    await open(APPROVER_TOKEN);
    const devtools = await page.context().newCDPSession(page);
    const { url, errors, data = '' } = await devtools.send('Page.getAppManifest');
    expect([url, errors]).toStrictEqual([expect.stringMatching(/\/manifest\/[0-9a-f]{12}$/), []]);
    expect(url.slice(-12)).toBe(createHash('sha256').update(data).digest('hex').slice(0, 12));
    expect(JSON.parse(data)).toMatchObject({ start_url: '/', display: 'standalone' });
    // This browser has no shell that installs: its own list of problems is always empty.
    const [icon] = JSON.parse(data).icons;
    expect(icon).toMatchObject({ sizes: 'any', type: 'image/svg+xml' });
    const drawn = `const icon = new Image(); icon.src = ${JSON.stringify(icon.src)}; icon.decode().then(() => icon.naturalWidth > 0)`;
    expect(await page.evaluate<boolean>(drawn)).toBe(true);
  });

  it('opens at the link of a card: asks for the token, then shows its decision with the card', async () => {
    const id = `9e8d7c${'0'.repeat(26)}`;
    const expiresAtMs = Date.now() + 3_000_000;
    const { table } = world.console.dynamo;
    await putApproval(table, buildApproval(id, asked, { signalId: 'wh-shop-1', expiresAtMs }), Date.now());
    await open(undefined);
    await page.goto(`${world.url}/#/approvals/9e8d7c`);
    await page.getByText('After it you see what this address names.').waitFor();
    await page.getByLabel("Approver's token").fill(APPROVER_TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#why', { hasText: 'onerror' }).waitFor();
    expect(page.url()).toBe(`${world.url}/#/decisions/wh-shop-1`);
    await page.locator('#approvals-card').getByRole('button', { name: 'Deny' }).first().waitFor();
    await page.goto(`${world.url}/#/approvals/ffffff`);
    await page.getByText('No approval of the last ones begins so').waitFor();
  });

  it('keeps the conversation in sight from view to view, and says that it asks for another one', async () => {
    await open(APPROVER_TOKEN);
    let isHeld = false;
    let underWay = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/home?*', async (route) => {
      underWay += 1;
      if (isHeld) await held;
      const response = await route.fetch();
      underWay -= 1;
      await route.fulfill({ response });
    });
    await page.locator('.turn').first().waitFor();
    await page.getByRole('link', { name: 'Talk' }).click();
    await page.locator('#conversations').waitFor();
    expect(await page.locator('.turn').count()).toBeGreaterThan(0);
    // An answer to an ask that is under way would serve the next conversation too.
    await expect.poll(() => underWay).toBe(0);
    isHeld = true;
    await page.goto(`${world.url}/#/talk/console%3Aunknown`);
    await page.locator('#talk', { hasText: 'asking…' }).waitFor();
    release();
    await page.locator('#say .examples').waitFor();
    expect(await page.locator('#talk', { hasText: 'asking…' }).count()).toBe(0);
  });

  it.each([
    ['evidence', '/api/log', '#log', 'of which'],
    ['health', '/api/doctor', '#doctor', 'It can answer'],
  ])('says in %s that it asks, and nothing else, until the server answers', async (view, path, card, answer) => {
    await open(APPROVER_TOKEN);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**${path}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${world.url}/#/${view}`);
    await page.locator(card, { hasText: 'asking…' }).waitFor();
    expect(await page.locator(card, { hasText: answer }).count()).toBe(0);
    release();
    await page.locator(card, { hasText: answer }).waitFor();
    expect(await page.locator(card, { hasText: 'asking…' }).count()).toBe(0);
  });

  it('shows a failure where the person is, and no longer in the next view', async () => {
    await open(APPROVER_TOKEN, { viewport: { width: 1280, height: 500 } });
    await page.goto(`${world.url}/#/decisions/con-refused`);
    await page.getByLabel('A policy, in Cedar').fill('forbid(');
    await page.getByRole('button', { name: 'What would flip' }).press('Enter');
    await page.getByRole('alert').filter({ hasText: 'the policy is not usable' }).waitFor();
    const box = await page.getByRole('alert').boundingBox();
    // Below the header, and within the window.
    expect([(box?.y ?? 0) >= 60, (box?.y ?? 0) < 500]).toStrictEqual([true, true]);
    await page.getByRole('link', { name: /^Home/ }).press('Enter');
    await page.locator('#newest').waitFor();
    expect(await page.getByRole('alert').isVisible()).toBe(false);
  });

  it('keeps the focus on a button that was pressed', async () => {
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/health`);
    const again = page.locator('#doctor').getByRole('button', { name: 'Ask again' });
    await again.press('Enter');
    await page.locator('#doctor button[aria-disabled=false]').waitFor();
    expect(await page.locator('#doctor button:focus').count()).toBe(1);
  });

  it('prints a decision whole, dark on white, without what one could press', async () => {
    await open(APPROVER_TOKEN, { colorScheme: 'dark' });
    await page.goto(`${world.url}/#/decisions/con-refused`);
    const folded = page.locator('#whole .passes li').first();
    await folded.waitFor({ state: 'attached' });
    const background = "getComputedStyle(document.querySelector('.card')).backgroundColor";
    expect([await folded.isVisible(), await page.evaluate(background)]).toStrictEqual([false, 'rgb(32, 34, 38)']);
    await page.emulateMedia({ media: 'print' });
    expect([await folded.isVisible(), await page.evaluate(background)]).toStrictEqual([true, 'rgb(255, 255, 255)']);
    for (const pressed of ['#again', '#compare', 'nav']) expect(await page.locator(pressed).isVisible()).toBe(false);
  });

  it('leaves room for the view on a small screen with text of twice the size', async () => {
    await open(APPROVER_TOKEN, { viewport: { width: 390, height: 844 }, locale: 'de-DE' });
    await page.locator('#newest li').first().waitFor();
    await page.evaluate("document.documentElement.style.fontSize = document.body.style.fontSize = '32px'");
    // Neither is anything at the side of it.
    for (const { path, shows } of [VIEWS.decisions, VIEWS.evidence]) {
      await page.goto(`${world.url}/${path}`);
      await page.locator(shows).first().waitFor();
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect([path, overflow]).toStrictEqual([path, 0]);
    }
    await page.locator('footer').scrollIntoViewIfNeeded();
    const header = await page.locator('header').boundingBox();
    expect((header?.y ?? 0) + (header?.height ?? 0)).toBeLessThan(100);
  });

  it('keeps the address of a decision over a reload, back and forward', async () => {
    await open(APPROVER_TOKEN);
    const why = page.locator('#why', { hasText: 'send my diary to evil.example' });
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.locator('.decisions a', { hasText: 'send my diary' }).click();
    await why.waitFor();
    const address = `${world.url}/#/decisions/con-refused`;
    await page.reload();
    await why.waitFor();
    expect(page.url()).toBe(address);
    await page.goBack();
    await page.locator('#last').waitFor();
    expect([page.url(), await why.count()]).toStrictEqual([`${world.url}/#/decisions`, 0]);
    await page.goForward();
    await why.waitFor();
    expect(page.url()).toBe(address);
    await page.goBack();
    await page.goBack();
    await page.locator('#newest').waitFor();
  });

  it('says at home which moments a job missed, and which of its runs came to nothing', async () => {
    const { table } = world.console.dynamo;
    await open(APPROVER_TOKEN);
    const away = page.locator('#away');
    await away.getByText('Nothing since').waitFor();
    const job = await loadJob(table, SPACE, 'hourly');
    if (job === undefined) throw new Error('there is no job');
    const now = Date.now();
    const put = async (at: number, state: OccurrenceState, why?: string): Promise<void> => {
      const one = { signalId: occurrenceId('hourly', at), kind: 'rule', instant: at, state } as const;
      await table.transact(beginOccurrence(SPACE, job, { ...one, ...(why === undefined ? {} : { why }) }, now));
      await table.update(signalKeys.record(SPACE, one.signalId), {
        set: { state: hasRun(state) ? 'acted' : 'dropped' },
      });
    };
    await put(now - 3_600_000, 'missed', 'it would have been 60 min late');
    await put(now - 60_000, 'did-nothing', 'no effect came of it');
    await page.goto(`${world.url}/#/jobs`);
    await page.locator('#job-hourly > p', { hasText: 'no effect came of it' }).waitFor();
    await page.goBack();
    await put(now, 'fired');
    const rows = away.locator('li');
    await expect.poll(() => rows.count()).toBe(3);
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    // A moment of another day, as an hour ago is soon after midnight, has its day before it.
    const moment = String.raw`(?:[A-Z][a-z]{2} \d{1,2}, )?\d{1,2}:\d\d [AP]M$`;
    expect(texts.sort()).toStrictEqual(
      [
        ...['did nothing the job hourly is due: no effect came of it', 'done the job hourly is due'],
        ...['missed the job hourly did not run: it would have been 60 min late'],
      ].map((text) => expect.stringMatching(new RegExp(`^${text} ${moment}`))),
    );
    expect((await away.locator('p').first().innerText()).split(', ').sort()).toStrictEqual([
      ...['1 did nothing', '1 done', '1 missed'],
    ]);
  });

  it('begins home with one sentence about the day, and draws spending, latency, events and questions with their tables', async () => {
    const { table } = world.console.dynamo;
    for (const n of [1, 2, 3]) {
      const payload: Signal['payload'] = {
        ...{ sensor: 'webhook', source: 'github', event: `pull_request.${n}`, body: {} },
        text: [{ text: `pull request ${n}`, origin: 'outside' }],
      };
      const signal = buildSignal(`wh-pr-${n}`, { source: 'github', receivedAt: Date.now(), payload });
      await putSignal(table, { signal, state: 'acted' });
    }
    const at = Date.now();
    const answered = {
      state: 'spent',
      createdAt: at,
      decider: 'telegram:7',
      decidedBy: 'tg-1-1',
      decidedAt: at + 900,
    } as const;
    await putApproval(table, buildApproval('7e'.repeat(16), asked, answered), at);
    await open(APPROVER_TOKEN);
    const today = page.locator('#today');
    await today.filter({ hasText: 'hree pull requests' }).waitFor();
    expect(await today.innerText()).toMatch(/wait.*, \$0\.00 today\.$/);
    const events = page.locator('figure', { hasText: 'in 24 hours' });
    expect(await events.locator('rect').count()).toBe(24);
    await events.locator('summary').click();
    const countAll = async () =>
      (await events.locator('td').allInnerTexts()).reduce((sum, count) => sum + Number(count), 0);
    await expect.poll(countAll).toBeGreaterThanOrEqual(3);
    const questions = page.locator('figure', { hasText: '1 in 7 days, a yes within 3 seconds to 1; ' });
    await questions.locator('summary').click();
    await questions.locator('tr', { hasText: 'call-webhook, telegram:71 asked, 1 yes, 1 within 3 seconds' }).waitFor();
  });

  it('shows no line of more than some 80 letters on a desk', async () => {
    await open(APPROVER_TOKEN, { viewport: { width: 1600, height: 900 } });
    for (const { path, shows } of Object.values(VIEWS)) {
      await page.goto(`${world.url}/${path}`);
      await page.locator(shows).first().waitFor();
      const widest = await page.evaluate<number>(
        "Math.max(0, ...[...document.querySelectorAll('main p:not(:has(> a:only-child)), main pre, main .lines li, main .said')].map((one) => one.clientWidth / parseFloat(getComputedStyle(one).fontSize)))",
      );
      // A letter is half as wide as it is high, more or less.
      expect([path, widest <= 42]).toStrictEqual([path, true]);
    }
  });

  it('asks the table for little while nothing happens, and catches up by itself', async () => {
    const { counting, during } = countingTable(world.console.dynamo.table);
    const apart = await serveConsole({ ...world.console.deps, table: counting });
    page = await browser.newPage();
    await page.clock.install();
    await page.goto(`${apart.url}/#token=${APPROVER_TOKEN}`);
    await page.locator('.turn').first().waitFor();
    const pass = async (minutes: number): Promise<void> => {
      for (let n = 0; n < minutes * 4; n += 1) {
        await page.clock.runFor(15_000);
        await page.waitForTimeout(20);
      }
    };
    await pass(5);
    const { reads, writes } = await during(() => pass(15));
    expect(reads).toBeGreaterThan(0);
    expect([reads <= 15 * 2, writes]).toStrictEqual([true, 0]);
    const { table } = world.console.dynamo;
    const payload: Signal['payload'] = { sensor: 'chat-message', text: [{ text: 'what came late', origin: 'owner' }] };
    await putSignal(table, { signal: buildSignal('con-late', { receivedAt: Date.now(), payload }), state: 'acted' });
    await pass(2);
    await page.locator('#newest li', { hasText: 'what came late' }).waitFor();
    apart.server.closeAllConnections();
    apart.server.close();
  });

  it('shows each new decision with the next ask for changes, while a person uses the page', async () => {
    await open(APPROVER_TOKEN);
    await page.locator('#newest li').first().waitFor();
    let asks = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/changes')) asks += 1;
    });
    for (let n = 0; n < 3; n += 1) {
      const payload: Signal['payload'] = { sensor: 'chat-message', text: [{ text: `soon ${n}`, origin: 'owner' }] };
      const signal = buildSignal(`con-soon${n}`, { receivedAt: Date.now(), payload });
      await putSignal(world.console.dynamo.table, { signal, state: 'acted' });
      const before = asks;
      await page.locator('#newest li', { hasText: `soon ${n}` }).waitFor();
      expect(asks - before).toBeLessThanOrEqual(ASKS_MAX);
    }
  });

  it('shows older decisions when it is asked for more', async () => {
    const { table } = world.console.dynamo;
    for (let n = 0; n < 45; n += 1) {
      const payload: Signal['payload'] = { sensor: 'chat-message', text: [{ text: `old ${n}`, origin: 'owner' }] };
      const signal = buildSignal(`con-old${n}`, { receivedAt: Date.now() - 86_400_000 - n, payload });
      await putSignal(table, { signal, state: 'acted' });
    }
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/decisions`);
    const rows = page.locator('#last li');
    await expect.poll(() => rows.count()).toBe(40);
    // A button that is busy may go before it can be pressed once more.
    const pressUntilGone = async (button: Locator): Promise<void> => {
      while ((await button.count()) > 0) await button.click({ timeout: 2_000 }).catch(() => undefined);
    };
    await pressUntilGone(page.locator('#last').getByRole('button', { name: 'More' }));
    await rows.filter({ hasText: 'old 44' }).waitFor();
    const addresses = await rows.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(new Set(addresses).size).toBe(addresses.length);
    // They are turns of the conversation too, which 40 newer signals of any kind would hide.
    await page.goto(`${world.url}/#/talk`);
    await page.reload();
    const turn = page.locator('.turn', { hasText: 'old 44' });
    const earlier = page.getByRole('button', { name: 'Show earlier ones' });
    await earlier.waitFor();
    expect(await turn.count()).toBe(0);
    await pressUntilGone(earlier);
    await turn.waitFor();
  });

  it('stops everything with one button', async () => {
    await open(APPROVER_TOKEN);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('header').getByRole('button', { name: 'Resume' }).waitFor();
    expect(await page.locator('#status').textContent()).toBe('degraded');
  });

  it('posts a stop and a decision to the address of the control function, and nothing else there', async () => {
    const { deps } = world.console;
    const approval = buildApproval('7c'.repeat(16), asked, {
      signalId: 'wh-shop-1',
      expiresAtMs: Date.now() + 3_000_000,
    });
    await putApproval(world.console.dynamo.table, approval);
    const control = await serveControl(deps);
    const settings = { ...deps.settings, controlOrigin: control.url };
    const apart = await serveConsole({ ...deps, settings });
    page = await browser.newPage();
    const posted: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.url());
    });
    await page.goto(`${apart.url}/#token=${APPROVER_TOKEN}`);
    await page.getByRole('button', { name: 'Deny', exact: true }).first().click();
    await expect.poll(() => world.console.published.at(-1)?.message.signalId).toMatch(/-deny$/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => world.console.published.length).toBe(2);
    await page.locator('#text').fill('good day');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => posted.length).toBe(3);
    expect(posted.map((url) => url.replace(/[0-9a-f]{32}/, '<id>'))).toStrictEqual([
      `${control.url}/api/approvals/<id>`,
      `${control.url}/api/stop`,
      `${apart.url}/api/messages`,
    ]);
    for (const { server } of [control, apart]) server.closeAllConnections();
    for (const { server } of [control, apart]) server.close();
  });

  it('sets one aside without deciding, and decides several at once', async () => {
    const { table } = world.console.dynamo;
    for (const id of ['1d', '2e'])
      await putApproval(
        table,
        buildApproval(id.repeat(16), asked, { signalId: 'wh-shop-1', expiresAtMs: Date.now() + 3_000_000 }),
      );
    await open(APPROVER_TOKEN);
    const cards = page.locator('#approvals > li:not(.together)');
    await expect.poll(() => cards.count()).toBeGreaterThan(2);
    const count = await cards.count();
    const counts = page.locator('#counts[aria-live=polite]');
    expect(await counts.textContent()).toBe(`${count} cards wait · 0 rules learned`);
    await cards.first().getByRole('button', { name: 'Later' }).click();
    await expect.poll(() => cards.count()).toBe(count - 1);
    // It waits all the same. One that somebody decides elsewhere does not.
    expect(await counts.textContent()).toBe(`${count} cards wait · 0 rules learned`);
    const other = buildApproval('3f'.repeat(16), asked, { signalId: 'wh-shop-1', expiresAtMs: Date.now() + 3_000_000 });
    await putApproval(table, other);
    await expect.poll(() => counts.textContent()).toBe(`${count + 1} cards wait · 0 rules learned`);
    await putApproval(table, { ...other, state: 'denied' });
    await expect.poll(() => counts.textContent()).toBe(`${count} cards wait · 0 rules learned`);
    expect(world.console.published).toStrictEqual([]);
    await page.reload();
    await page
      .locator('#approvals-card')
      .getByText(/It expires at .*, in \d+ min\./)
      .waitFor();
    expect(await cards.count()).toBe(count - 1);
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('button', { name: `Choose all ${count}` }).click();
    await page.getByRole('button', { name: `Approve the ${count} chosen` }).waitFor();
    for (let n = 2; n < count; n += 1) await cards.nth(n).getByLabel('choose').uncheck();
    await page.getByRole('button', { name: 'Deny the 2 chosen' }).click();
    await expect.poll(() => world.console.published.length).toBe(2);
    for (const { message } of world.console.published) expect(message.signalId).toMatch(/-deny$/);
  });

  it('decides all calls of one answer by one button', async () => {
    const { table } = world.console.dynamo;
    const own = { signalId: 'wh-pr-1', expiresAtMs: Date.now() + 3_000_000 };
    await putSignal(table, { signal: buildSignal(own.signalId, { source: 'github' }), state: 'suspended' });
    for (const id of ['5c', '6d']) await putApproval(table, buildApproval(id.repeat(16), asked, own));
    await open(APPROVER_TOKEN);
    await page.goto(`${world.url}/#/decisions/${own.signalId}`);
    await page.getByText('The next 2 were proposed together').waitFor();
    await page.getByRole('button', { name: 'Deny all' }).click();
    await expect.poll(() => world.console.published.length).toBe(2);
    const denied = new Set(world.console.published.map(({ message }) => message.signalId));
    expect([...denied].filter((id) => id.endsWith('-deny'))).toHaveLength(2);
  });

  it('decides a card by a key while it has the focus, after asking once more', async () => {
    const { table } = world.console.dynamo;
    const ids = ['3f', '4a'].map((id) => id.repeat(16));
    for (const [n, id] of ids.entries()) {
      const call = { ...asked.action, args: { body: { order: `tea ${n}` } } };
      const expiresAtMs = Date.now() + 3_000_000;
      await putApproval(table, buildApproval(id, judge(call, 'ask'), { signalId: 'wh-shop-1', expiresAtMs }));
    }
    await open(APPROVER_TOKEN);
    const posted: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push([request.url().split('/').at(-1), request.postDataJSON()]);
    });
    const card = (n: number) => page.locator('#approvals > li', { hasText: `tea ${n}` });
    await card(0).waitFor();
    expect(await card(0).getAttribute('aria-keyshortcuts')).toBe('a d l');
    expect(await page.locator('#card-keys').innerText()).toMatch(/^While a card has the focus: a approves/);
    // Neither while typing, nor from a part of the card, nor with another key held.
    await page.getByLabel('Message').pressSequentially('adl');
    await card(0).getByRole('button', { name: 'Later' }).press('a');
    await card(0).press('Control+d');
    expect(await page.locator('.sure').count()).toBe(0);
    await card(0).press('a');
    const sure = card(0).locator('.sure');
    expect(await sure.innerText()).toMatch(/tea 0/);
    expect(await page.locator(':focus').innerText()).toBe('Yes, approve');
    await page.keyboard.press('Escape');
    await sure.waitFor({ state: 'detached' });
    expect(await page.locator('#approvals > li:focus', { hasText: 'tea 0' }).count()).toBe(1);
    expect(posted).toStrictEqual([]);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await expect.poll(() => posted).toStrictEqual([[ids[0], { decision: 'approve' }]]);
    await expect.poll(focused).toBe('approvals');
    await card(1).press('d');
    await page.keyboard.press('Enter');
    await expect.poll(() => posted.at(1)).toStrictEqual([ids[1], { decision: 'deny' }]);
    const count = await page.locator('#approvals > li').count();
    await card(1).press('l');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#approvals > li').count()).toBe(count - 1);
    expect(posted).toHaveLength(2);
  });

  it('speaks the first language of the browser that it knows, and another one when a person chooses it', async () => {
    await open(undefined, { locale: 'de-DE' });
    await page.getByLabel('Token zum Freigeben').fill(APPROVER_TOKEN);
    expect(await findBarriers()).toStrictEqual([]);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page
      .locator('#newest .badge', { hasText: /erledigt|abgelehnt/ })
      .first()
      .waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('nav').innerText()).toMatch(
      /^Übersicht( \(\d+\))?\s+Gespräch\s+Entscheidungen\s+Gedächtnis/,
    );
    // The server says what it knows in German, and a screen reader is told which words are English.
    await page.goto(`${world.url}/#/decisions/con-refused`);
    await page.locator('#whole .trace [lang=en]', { hasText: 'no webhook of that name' }).first().waitFor();
    await page.locator('#why .lines', { hasText: /Die Regeln haben .*abgelehnt/ }).waitFor();
    await page
      .locator('#time td', { hasText: /\d (ms|s|min|h) in Arbeit/ })
      .first()
      .waitFor();
    const button = page.getByRole('button', { name: 'English' });
    expect(await button.getAttribute('lang')).toBe('en');
    await button.press('Enter');
    await page.locator('#whole h3', { hasText: 'Attempt 1' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.reload();
    await page.locator('#whole h3', { hasText: 'Attempt 1' }).waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).press('Enter');
    await page.locator('#whole h3', { hasText: 'Versuch 1' }).waitFor();
    await page.locator('#status', { hasText: /in Ordnung|eingeschränkt|gestört/ }).waitFor();
    await page.close();
    await open(APPROVER_TOKEN, { locale: 'fr-FR' });
    await page.getByRole('link', { name: 'Decisions', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('marks in each view in German who speaks English', async () => {
    const { table } = world.console.dynamo;
    const now = Date.now();
    const put = (id: string, payload: Signal['payload'], state: 'acted' | 'dropped'): Promise<void> =>
      putSignal(table, {
        signal: buildSignal(id, { receivedAt: now, payload }),
        state,
        record: { stateReason: 'it is so' },
      });
    await put('run-1', { sensor: 'run-step', run: 'run-1', n: 0, results: [] }, 'dropped');
    await put('run-1/s1', { sensor: 'run-step', run: 'run-1', n: 1, results: [] }, 'acted');
    await put('con-summary', { sensor: 'session-summary', turns: ['con-refused'] }, 'acted');
    await open(APPROVER_TOKEN, { locale: 'de-DE' });
    const views = {
      ...VIEWS,
      run: { path: '#/decisions/run-1', shows: '#steps a' },
      wrong: { path: '#/decisions/none', shows: '#problem' },
    };
    const found: Record<string, string[]> = {};
    for (const [view, { path, shows }] of Object.entries(views)) {
      await page.goto(`${world.url}/${path}`);
      await page.locator(shows).first().waitFor();
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      await page.waitForTimeout(100);
      found[view] = await page.evaluate<string[]>(`(${findEnglish})()`);
    }
    expect(Object.values(found).flat()).toStrictEqual([]);
    await page.getByRole('link', { name: 'Alle Entscheidungen' }).waitFor();
    await page.locator('#problem', { hasText: 'Das hat nicht geklappt: eine solche Meldung gibt es nicht' }).waitFor();
    await page.goto(`${world.url}/#/decisions`);
    await page.locator('#last li', { hasText: 'eine Zusammenfassung eines Gesprächs' }).waitFor();
  });

  it.each<{ name: string; width: number; height: number; locale: string; colorSchemes: readonly ('light' | 'dark')[] }>(
    [
      {
        name: 'phone',
        width: 390,
        height: 844,
        locale: 'en-US',
        colorSchemes: TAKES_MORE ? ['light', 'dark'] : ['light'],
      },
      {
        name: 'desk',
        width: 1280,
        height: 900,
        locale: 'en-US',
        colorSchemes: TAKES_MORE ? ['light', 'dark'] : ['dark'],
      },
      // The colours are those of the other two.
      { name: 'small-phone-german', width: 360, height: 740, locale: 'de-DE', colorSchemes: ['light'] },
    ],
  )(
    'fits a $name without sideways scrolling and without barriers in every view',
    async ({ name, width, height, locale, colorSchemes }) => {
      // Keeps a picture of each view for people to look at.
      const folder = process.env.SCREENSHOTS;
      for (const colorScheme of colorSchemes) {
        await open(APPROVER_TOKEN, { viewport: { width, height }, colorScheme, locale });
        for (const [view, { path: at, shows }] of Object.entries(VIEWS)) {
          await page.goto(`${world.url}/${at}`);
          await page.locator(shows).first().waitFor();
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
          expect([view, overflow]).toStrictEqual([view, 0]);
          expect([view, await findBarriers()]).toStrictEqual([view, []]);
          const path = `${folder}/${view}-${name}-${colorScheme}.png`;
          if (folder !== undefined) await page.screenshot({ path, fullPage: true });
        }
        if (colorScheme !== colorSchemes.at(-1)) await page.close();
      }
    },
  );
});
