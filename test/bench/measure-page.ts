/**
 * The page on a table with 10,000 decisions, in a real browser: when its first view stands and what
 * that asked of the table, how soon a new decision shows, how the heap grows while 2,000 more come,
 * and how long the browser verifies an export of 20,000 leaves.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Table } from '../../lib/core/store/table.ts';
import { APPROVER_TOKEN, serveConsole, startConsole } from '../core/edge/console/console-server.ts';
import {
  buildAttempt,
  buildDecision,
  buildEffect,
  buildSignal,
  judge,
  putSignal,
  reply,
} from '../core/edge/console/stored-fixtures.ts';
import { buildExport, buildWorld, FIRST_KEY, textOf } from '../core/evidence/export-world.ts';
import { launchBrowser } from '../support/browser.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';

const DECISIONS = 10_000;
const MORE = 2000;
const AT_ONCE = 50;
const ROUNDS = 9;
/** Some 20,000 leaves. */
const SIGNALS = 7600;

const putDecision = (table: Table, id: string): Promise<void> => {
  const said = judge(reply(`Noted: ${id}`), 'pass', [{ gate: 'kill-switch', verdict: 'pass', reason: '' }]);
  return putSignal(table, {
    signal: buildSignal(id, { receivedAt: Date.now() }),
    state: 'acted',
    decision: buildDecision(id, [said], { attempt: buildAttempt(1, [said]) }),
    effects: [buildEffect(0, said, { settledAt: Date.now() })],
  });
};

export const putMany = async (table: Table, name: string, count: number): Promise<void> => {
  for (let first = 0; first < count; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => putDecision(table, `con-${name}${first + n}`)));
};

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

interface Opened {
  /** Milliseconds from the request for the page until its lists stand. */
  readonly ms: number;
  /** When they stood, epoch milliseconds. */
  readonly at: number;
}

const WATCH_LISTS = `new MutationObserver((_, observer) => {
  if (document.querySelector('#newest li') === null) return;
  window.stoodAt = Date.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

export const openPage = async (page: Page, url: string): Promise<Opened> => {
  await page.addInitScript(WATCH_LISTS);
  const startedAt = Date.now();
  await page.goto(`${url}/#token=${APPROVER_TOKEN}`);
  await page.locator('#newest li').first().waitFor();
  const at = await page.evaluate<number>('window.stoodAt');
  return { at, ms: at - startedAt };
};

/** The same table, noting when it was read, epoch milliseconds. */
const notingTable = (table: Table, readAt: number[]): Table => {
  const noting =
    <Args extends readonly unknown[], Answer>(read: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      readAt.push(Date.now());
      return read(...args);
    };
  return { ...table, load: noting(table.load), query: noting(table.query), queryIndex: noting(table.queryIndex) };
};

export const measureNews = async (page: Page, table: Table, n: number): Promise<number> => {
  await page.locator('#text').press('Shift');
  await putDecision(table, `con-news${n}`);
  const storedAt = performance.now();
  await page.locator(`#newest a[href$="con-news${n}"]`).waitFor();
  return performance.now() - storedAt;
};

export const heapMb = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
};

const measureVerify = async (page: Page, url: string): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'passepartout-bench-page-'));
  const file = join(folder, 'export.jsonl');
  writeFileSync(
    file,
    buildExport(buildWorld(SIGNALS))
      .lines.map((line) => `${line}\n`)
      .join(''),
  );
  await page.goto(`${url}/#/evidence`);
  await page.getByLabel('Key of the log').fill(textOf(FIRST_KEY));
  await page.getByLabel('An export or a receipt').setInputFiles(file);
  const result = page.locator('#verify [role=status]');
  await result.locator('.badge', { hasText: 'verified' }).waitFor();
  rmSync(folder, { recursive: true });
  return Number(/checked in ([\d.]+) s/.exec(await result.innerText())?.[1]);
};

export const measurePage: Measure = async ({ progress }) => {
  const group = `page: a table with ${DECISIONS} decisions`;
  const world = await startConsole({ now: Date.now });
  const { table } = world.dynamo;
  const readAt: number[] = [];
  const { url, server } = await serveConsole({ ...world.deps, table: notingTable(table, readAt) });
  const browser = await launchBrowser();
  progress('page: storing decisions');
  await putMany(table, 'old', DECISIONS);
  progress('page: opening');
  const paints: number[] = [];
  let reads = 0;
  for (let n = 0; n < ROUNDS; n += 1) {
    const one = await browser.newPage();
    readAt.length = 0;
    const { ms, at } = await openPage(one, url);
    paints.push(ms);
    reads = Math.max(reads, readAt.filter((moment) => moment <= at).length);
    await one.close();
  }
  const page = await browser.newPage();
  await openPage(page, url);
  const news: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) news.push(await measureNews(page, table, n));
  const before = await heapMb(page);
  progress('page: more decisions');
  await putMany(table, 'more', MORE);
  await measureNews(page, table, ROUNDS);
  const growthMb = (await heapMb(page)) - before;
  progress('page: verifying');
  const seconds = await measureVerify(page, url);
  await browser.close();
  server.closeAllConnections();
  server.close();
  await world.stop();
  return [
    {
      group,
      name: 'until the first view stands',
      value: median(paints) / 1000,
      unit: 's',
      goal: { is: '≤', value: 1 },
    },
    {
      group,
      name: 'requests to the table by then',
      value: reads,
      unit: '',
      goal: { is: '≤', value: 6 },
      note: 'at most; the conversation is read after it',
    },
    {
      group,
      name: 'a new decision shows after',
      value: median(news),
      unit: 'ms',
      goal: { is: '≤', value: 500 },
      note: 'no turn runs',
    },
    { group, name: `heap after ${MORE} more`, value: growthMb, unit: 'MB more' },
    { group, name: 'verify 20,000 leaves in the browser', value: seconds, unit: 's', goal: { is: '≤', value: 3 } },
  ];
};
