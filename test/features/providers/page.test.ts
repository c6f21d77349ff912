/** The page's form: a person types a key into it, in a real browser. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { startSecondProvider } from '../../support/second-provider.ts';
import { APPROVER_TOKEN, startTestStack } from '../../support/stack.ts';

const KEY = 'sk-page-4Tq8Zm2Xv6Rb9Nk3Wd7Yp1Lc5Hs0';
const second = await startSecondProvider(KEY);
const world = await startTestStack({ isBundled: true, environment: { PROVIDER_NAMES: 'custom/scripted' } });
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await world.stop();
  await second.close();
});

it('takes a key that it shows to nobody, and adds the provider after a yes', async () => {
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, locale: 'en-GB' });
  page.setDefaultTimeout(20_000);
  await page.goto(`${world.stack.url}/#token=${APPROVER_TOKEN}`);
  await page.goto(`${world.stack.url}/#/manage/provider`);
  await page.fill('#provider-name', 'second');
  await page.fill('#provider-url', second.baseUrl);
  await page.fill('#provider-models', 'tiny-1');
  await page.fill('#provider-key', KEY);
  expect(await page.getAttribute('#provider-key', 'type')).toBe('password');
  if (process.env.SCREENSHOT) await page.screenshot({ path: join(process.env.SCREENSHOT, 'form.png') });
  await page.click('#add-provider');
  await expect.poll(() => page.textContent('#own-provider')).toMatch(/waits for your yes/i);
  expect(await page.inputValue('#provider-key')).toBe('');
  expect(second.seen).toStrictEqual([]);
  const { body } = await world.api<{ approvals: { id: string }[] }>('GET', '/api/approvals');
  await world.api('POST', `/api/approvals/${body.approvals[0]?.id}`, { decision: 'approve' });
  const listed = async () => JSON.stringify((await world.api('GET', '/api/provider/list')).body);
  await expect.poll(listed).toContain('"second"');
  await page.goto(`${world.stack.url}/#/talk`);
  await page.goto(`${world.stack.url}/#/manage/provider`);
  await expect.poll(() => page.textContent('#verbs')).toContain('second/tiny-1');
  if (process.env.SCREENSHOT) await page.screenshot({ path: join(process.env.SCREENSHOT, 'added.png') });
  expect(await page.content()).not.toContain(KEY);
  expect(JSON.stringify(await world.scan()) + world.log()).not.toContain(KEY);
  await page.close();
});
