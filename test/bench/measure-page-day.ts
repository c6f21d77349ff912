/**
 * A page that stays open for eight hours of its own clock, while 10,000 decisions come to the
 * 10,000 that are there: the heap and how soon a decision shows, each hour. For the sixth hour the
 * browser is offline: what came meanwhile is there afterwards, and nothing twice.
 */
import type { Page } from 'playwright-core';
import { serveConsole, startConsole } from '../core/edge/console/console-server.ts';
import { launchBrowser } from '../support/browser.ts';
import type { Measure } from './measure.ts';
import { heapMb, measureNews, openPage, putMany } from './measure-page.ts';

const BEFORE = 10_000;
const HOURS = 8;
const HOURLY = 1200;
const STEPS = 12;
const STEP_MS = 3_600_000 / STEPS;
/** Counted from 0. */
const OFFLINE_HOUR = 5;
/** For the answers of a step, in time of this machine. */
const SETTLE_MS = 150;

/** @throws if a decision stands twice */
const failOnTwice = async (page: Page): Promise<void> => {
  const links = await page.locator('#newest li').evaluateAll((rows) => rows.map((row) => row.innerHTML));
  const found = links.map((html) => /href="([^"]+)"/.exec(html)?.[1] ?? '');
  if (new Set(found).size < found.length) throw new Error(`a decision stands twice: ${found.join(' ')}`);
};

export const measurePageDay: Measure = async ({ progress }) => {
  const world = await startConsole({ now: Date.now });
  const { table } = world.dynamo;
  const { url, server } = await serveConsole(world.deps);
  const browser = await launchBrowser();
  progress('page day: storing decisions');
  await putMany(table, 'old', BEFORE);
  const page = await browser.newPage();
  await page.clock.install();
  await openPage(page, url);
  const heaps: number[] = [];
  const shown: number[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    progress(`page day: hour ${hour + 1}`);
    await page.context().setOffline(hour === OFFLINE_HOUR);
    for (let step = 0; step < STEPS; step += 1) {
      await putMany(table, `day${hour}.${step}.`, HOURLY / STEPS);
      await page.clock.runFor(STEP_MS);
      await page.waitForTimeout(SETTLE_MS);
    }
    await page.context().setOffline(false);
    shown.push(await measureNews(page, table, hour));
    heaps.push(await heapMb(page));
    await failOnTwice(page);
  }
  await browser.close();
  server.closeAllConnections();
  server.close();
  await world.stop();
  const group = `page: open for ${HOURS} hours, ${BEFORE} decisions and ${HOURS * HOURLY} more`;
  return [
    {
      group,
      name: 'heap in the last hour against the first',
      value: (heaps.at(-1) ?? 0) / (heaps[0] ?? 1),
      unit: '×',
      goal: { is: '≤', value: 1.5 },
      note: `MB: ${heaps.map((mb) => mb.toFixed(1)).join(', ')}`,
    },
    {
      group,
      name: 'a new decision shows after, at worst',
      value: Math.max(...shown),
      unit: 'ms',
      goal: { is: '≤', value: 1000 },
      note: `each hour: ${shown.map((ms) => ms.toFixed(0)).join(', ')}`,
    },
  ];
};
